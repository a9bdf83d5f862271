/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   bench_contact_problems [--quick] [--all] [--agree] [--tolerance T] [--folder DIR]
 * [--only-files]
 *                          [--files TEXT]
 *
 * Every solver on problems of the FCLIB collection (DIR, or ../shared/data/contact_problems beside
 * the repository, when it is there) and on piles made here, to a natural-map residual of 1e-8
 * measured by one function for all; beside Siconos' NSGS and NSN-AC in the same run where it is
 * installed. Times are of this thread's processor, single thread, the least of several runs. --all
 * prints all solvers of Tribo on all problems, --agree how far their velocities differ; without
 * them the default against the peer. --only-files leaves the piles out, --files takes only those
 * whose name begins with the text. The tables of docs/contact_problems.md come from here;
 * export_contact_problems.py makes a folder of problems.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "bench/piles.h"
#include "coulomb/contact_solver.h"
#ifdef TRIBO_SICONOS
#include "bench/peer_siconos.h"
#endif

enum { MOST_PROBLEMS = 512, MOST_SOLVERS = 16 };

typedef struct bench {
  double tolerance;
  bool quick, all, agree, only_files;
  const char *folder, *files;
  contact_stored problems[MOST_PROBLEMS];
  int count;
} bench;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- problems ---- */

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_files(bench *b) {
  DIR *entries = opendir(b->folder);
  if (!entries) {
    printf("'%s' is not there: without the files of FCLIB\n", b->folder);
    return;
  }
  char *names[MOST_PROBLEMS];
  size_t count = 0;
  for (struct dirent *e = readdir(entries); e && count < MOST_PROBLEMS; e = readdir(entries))
    if (text_ends_in(e->d_name, ".hdf5") && strncmp(e->d_name, b->files, strlen(b->files)) == 0)
      names[count++] = text_copy(e->d_name);
  closedir(entries);
  qsort(names, count, sizeof *names, by_name);
  for (size_t i = 0; i < count; i++) {
    char path[1024];
    tribo_error err = {0};
    snprintf(path, sizeof path, "%s/%s", b->folder, names[i]);
    if (b->count < MOST_PROBLEMS) {
      contact_stored *s = &b->problems[b->count];
      if (contact_file_read(path, s, &err) == TRIBO_OK) {
        snprintf(s->title, sizeof s->title, "%.*s", (int)strlen(names[i]) - 5, names[i]);
        b->count++;
      } else {
        printf("%s\n", err.message);
      }
    }
    free(names[i]);
  }
}

static void add_pile(bench *b, pile p, const char *title) {
  if (b->count < MOST_PROBLEMS) pile_problem(&p, title, &b->problems[b->count++]);
  pile_free(&p);
}

static pile shaken(pile p, double velocity, double spin, uint64_t seed) {
  pile_shake(&p, velocity, spin, seed);
  return p;
}

/* A slab thrown down along the floor. */
static pile thrown(pile p, vec3 velocity, vec3 spin) {
  p.bodies[0].velocity = velocity;
  p.bodies[0].spin = spin;
  return p;
}

static void add_piles(bench *b) {
  contact_coefficients half = {0.5, 0.5}, low = {0.2, 0.2}, high = {0.9, 0.9};
  add_pile(b, pile_tower(5, half), "tower of 5, at rest");
  add_pile(b, shaken(pile_tower(5, half), 0.5, 0.5, 3), "tower of 5, shaken");
  add_pile(b, thrown(pile_slab(5, low, 5), (vec3){0.5, 0.1, -0.2}, (vec3){0, 0, 0.5}),
           "slab on 25 points, sliding");
  if (b->quick) return;
  add_pile(b, pile_tower(20, half), "tower of 20, at rest");
  add_pile(b, shaken(pile_tower(20, half), 0.05, 0.05, 11), "tower of 20, trembling");
  add_pile(b, shaken(pile_tower(20, half), 0.5, 0.5, 13), "tower of 20, shaken");
  add_pile(b, pile_wall(6, 6, half), "wall 6 x 6, at rest");
  add_pile(b, shaken(pile_wall(6, 6, half), 0.1, 0.1, 17), "wall 6 x 6, shaken");
  add_pile(b, shaken(pile_wall(10, 10, low), 0.3, 0.3, 19), "wall 10 x 10, slippery, shaken");
  add_pile(b, pile_heap(5, 4, half, 23), "heap of 100 spheres, at rest");
  add_pile(b, shaken(pile_heap(5, 4, high, 29), 0.3, 1, 31), "heap of 100 spheres, shaken");
  add_pile(b, shaken(pile_heap(8, 6, half, 37), 0.3, 1, 41), "heap of 384 spheres, shaken");
  add_pile(b, thrown(pile_slab(12, half, 43), (vec3){0.2, 0.5, -0.1}, (vec3){0.1, 0, 0.5}),
           "slab on 144 points, sliding");
}

/* ---- measuring ---- */

typedef struct figure {
  double seconds, residual;
  int iterations;
  const char *used;
  bool solved;
} figure;

static figure measure(const bench *b, const contact_problem *p, const contact_solver *solver) {
  size_t n = contact_problem_count(p);
  vec3 *r = calloc(n + 1, sizeof *r);
  figure best = {.seconds = INFINITY};
  double spent = 0;
  if (!r) abort();
  for (int run = 0; run < (b->quick ? 1 : 20) && (run < 1 || spent < 0.2); run++) {
    contact_solve_options options = {.tolerance = b->tolerance, .tasks = {1}};
    contact_solve_report report;
    tribo_error err = {0};
    memset(r, 0, n * sizeof *r);
    double begin = seconds();
    if (contact_solve(p, solver, &options, r, &report, &err) != TRIBO_OK) {
      printf("%s: %s\n", solver->name, err.message);
      break;
    }
    double took = seconds() - begin;
    spent += took;
    best = (figure){fmin(best.seconds, took), report.residual, report.iterations, report.used,
                    report.converged};
  }
  free(r);
  return best;
}

static void print_figure(const figure *f) {
  if (f->solved)
    printf(" %10.3f ", 1e3 * f->seconds);
  else
    printf(" x %8.0e ", f->residual);
}

#ifdef TRIBO_SICONOS
/* The peer knows round cones only. An elliptic one is round in coordinates divided by its shape
 * (r = shape r'), of the larger coefficient; a direction without friction gets a diagonal of its
 * own. */
static vec3 shape_of(contact_coefficients grip) {
  double most = fmax(grip.t, grip.b);
  return most > 0 ? vec3_make(1, grip.t / most, grip.b / most) : vec3_make(1, 1, 1);
}

static double part(vec3 v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

static double shaped(const contact_problem *p, int32_t i, int32_t at, int e) {
  int32_t j = p->w.pattern->columns[at];
  double a = part(shape_of(p->grip[i]), e / 3), b = part(shape_of(p->grip[j]), e % 3);
  if (i == j && e / 3 == e % 3 && a == 0) return p->w.blocks[at].m[e / 3][e % 3];
  return a * p->w.blocks[at].m[e / 3][e % 3] * b;
}

static peer *peer_of(const contact_problem *p) {
  size_t n = contact_problem_count(p), most = 9 * (size_t)bcsr_block_count(p->w.pattern), k = 0;
  int *row = malloc((most + 1) * sizeof *row), *column = malloc((most + 1) * sizeof *column);
  double *value = malloc((most + 1) * sizeof *value), *mu = malloc((n + 1) * sizeof *mu);
  vec3 *q = malloc((n + 1) * sizeof *q);
  if (!row || !column || !value || !mu || !q) abort();
  for (int32_t i = 0; i < (int32_t)n; i++) {
    vec3 shape = shape_of(p->grip[i]);
    mu[i] = fmax(p->grip[i].t, p->grip[i].b);
    q[i] = vec3_make(p->q[i].x, shape.y * p->q[i].y, shape.z * p->q[i].z);
    for (int32_t at = p->w.pattern->row_start[i]; at < p->w.pattern->row_start[i + 1]; at++)
      for (int e = 0; e < 9; e++) {
        row[k] = 3 * i + e / 3;
        column[k] = 3 * p->w.pattern->columns[at] + e % 3;
        value[k++] = shaped(p, i, at, e);
      }
  }
  peer *made = peer_create((int)n, k, row, column, value, (const double *)q, mu);
  free(q);
  free(row);
  free(column);
  free(value);
  free(mu);
  return made;
}

/* The peer stops by its own measure. Where ours is not there yet it gets a tighter limit, and only
 * the run that gets there counts. */
static figure measure_peer(const bench *b, const contact_problem *p, peer_kind kind) {
  size_t n = contact_problem_count(p);
  vec3 *r = calloc(n + 1, sizeof *r);
  figure best = {.seconds = INFINITY, .residual = INFINITY};
  peer *other = peer_of(p);
  if (!r) abort();
  int sweeps = kind == PEER_NSGS ? 10000 : 200;
  bool claims = true;
  for (double limit = b->tolerance; claims && !best.solved && limit > 1e-4 * b->tolerance;
       limit /= 10) {
    double spent = 0;
    for (int run = 0; run < (b->quick ? 1 : 20) && (run < 1 || (best.solved && spent < 0.2));
         run++) {
      double took = peer_solve(other, kind, limit, sweeps, (double *)r, &claims);
      for (size_t i = 0; i < n; i++) {
        vec3 shape = shape_of(p->grip[i]);
        r[i] = vec3_make(r[i].x, shape.y * r[i].y, shape.z * r[i].z);
      }
      double residual = contact_problem_residual(p, r, NULL);
      spent += took;
      bool solved = residual <= b->tolerance;
      if (solved && !best.solved) best = (figure){.seconds = INFINITY};
      if (!solved && !(residual < best.residual)) continue;
      best = (figure){.seconds = fmin(best.seconds, took), .residual = residual, .solved = solved};
    }
  }
  peer_free(other);
  free(r);
  return best;
}
#endif

/* ---- tables ---- */

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int count) {
  if (count == 0) return NAN;
  qsort(values, (size_t)count, sizeof *values, ascending);
  return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Of one solver over all problems; medians are of those that it solved. */
static void print_summary(const contact_solver *solver, const figure *of, int count) {
  static double took[MOST_PROBLEMS], iterations[MOST_PROBLEMS];
  double worst = 0, all = 0;
  int solved = 0;
  for (int i = 0; i < count; i++) {
    worst = fmax(worst, of[i].residual);
    all += of[i].seconds;
    if (!of[i].solved) continue;
    took[solved] = 1e3 * of[i].seconds;
    iterations[solved++] = of[i].iterations;
  }
  printf("%-20s %3d of %3d (%5.1f%%) %11.3f %10.0f %10.2f %12.0e\n", solver->name, solved, count,
         100.0 * solved / fmax(count, 1), median(took, solved), median(iterations, solved), all,
         worst);
}

static void print_all(const bench *b) {
  static figure figures[MOST_SOLVERS][MOST_PROBLEMS];
  printf("\nmilliseconds; x: not reached, with the residual where it stopped\n\n%-34s %8s",
         "problem", "contacts");
  for (size_t s = 0; s < contact_solver_count; s++) printf(" %11.11s", contact_solvers[s]->name);
  printf("\n");
  for (int i = 0; i < b->count; i++) {
    printf("%-34s %8zu", b->problems[i].title, contact_problem_count(&b->problems[i].problem));
    for (size_t s = 0; s < contact_solver_count; s++) {
      figures[s][i] = measure(b, &b->problems[i].problem, contact_solvers[s]);
      print_figure(&figures[s][i]);
    }
    printf("\n");
    fflush(stdout);
  }
  printf("\n%-20s %-19s %11s %10s %10s %12s\n", "solver", "solved", "median ms", "median it.",
         "all s", "worst left");
  for (size_t s = 0; s < contact_solver_count; s++)
    print_summary(contact_solvers[s], figures[s], b->count);
}

/* ---- do they agree? ---- */

typedef struct answer {
  double residual, off; /* by the one measure, and by law_off */
  bool solved;
  vec3 *r, *u;
} answer;

/* Coulomb's law once more, apart from any projection and from what the solvers measure by: the
 * worst contact's part of its own impulse and of the problem's largest velocity, so that what bears
 * little is not overlooked. Velocities in long double, case by case: it goes in; the impulse is out
 * of the cone; it bears while it opens; friction takes less power than the most it could. */
static double law_off(const contact_problem *p, const vec3 *r) {
  size_t n = contact_problem_count(p);
  double fastest = 0, most = 0, worst = 0;
  for (size_t i = 0; i < n; i++) {
    fastest = fmax(fastest, vec3_norm(p->q[i]));
    most = fmax(most, r[i].x);
  }
  if (!(most > 0) || !(fastest > 0)) return 0;
  for (size_t i = 0; i < n; i++) {
    long double u[3] = {p->q[i].x, p->q[i].y, p->q[i].z};
    for (int32_t at = p->w.pattern->row_start[i]; at < p->w.pattern->row_start[i + 1]; at++) {
      vec3 s = r[p->w.pattern->columns[at]];
      for (int k = 0; k < 3; k++) {
        const double *w = p->w.blocks[at].m[k];
        u[k] += (long double)w[0] * s.x + (long double)w[1] * s.y + (long double)w[2] * s.z;
      }
    }
    contact_coefficients mu = p->grip[i];
    double own = fmax(fabs(r[i].x), 1e-9 * most), v[2] = {(double)u[1], (double)u[2]};
    double across = hypot(mu.t > 0 ? r[i].y / mu.t : 0, mu.b > 0 ? r[i].z / mu.b : 0);
    double power = r[i].y * v[0] + r[i].z * v[1], best = -r[i].x * hypot(mu.t * v[0], mu.b * v[1]);
    worst = fmax(worst, (double)-u[0] / fastest);
    worst = fmax(worst, fmax(-r[i].x, across - r[i].x) / own);
    worst = fmax(worst, r[i].x * fmax(0, (double)u[0]) / (own * fastest));
    worst = fmax(worst, (power - best) / (own * fastest));
  }
  return worst;
}

static answer solve_from(const contact_problem *p, const contact_solver *solver, const vec3 *start,
                         double tolerance) {
  size_t n = contact_problem_count(p);
  answer a = {.r = calloc(n + 1, sizeof(vec3)), .u = calloc(n + 1, sizeof(vec3))};
  contact_solve_options options = {.tolerance = tolerance, .tasks = {1}};
  contact_solve_report report = {0};
  tribo_error err = {0};
  if (!a.r || !a.u) abort();
  if (start) memcpy(a.r, start, n * sizeof *start);
  if (contact_solve(p, solver, &options, a.r, &report, &err) == TRIBO_OK) {
    a.residual = contact_problem_residual(p, a.r, a.u);
    a.off = law_off(p, a.r);
    a.solved = report.converged;
  }
  return a;
}

static void answer_free(answer *a) {
  free(a->r);
  free(a->u);
}

static double apart(const answer *a, const answer *b, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fmax(most, vec3_norm(vec3_sub(a->u[i], b->u[i])));
  return most;
}

/* How far Newton's method moves an answer when it is asked for all digits: what is a solution of
 * its own stays where it is; what only seems to be one goes to the other. */
static double moves(const contact_problem *p, const answer *from) {
  answer on = solve_from(p, &contact_alart_curnier, from->r, 1e-17);
  double by = apart(&on, from, contact_problem_count(p));
  answer_free(&on);
  return by;
}

static void print_answer(const contact_problem *p, const char *name, const answer *a) {
  printf("  %s (%.0e, %.0e, %.0e)", name, a->residual, a->off, moves(p, a));
}

/* Velocities of all solvers that reach the tolerance, against those of the one that got closest. */
static void print_agreement(const bench *b) {
  const double same = 1e-6;
  double off[MOST_SOLVERS] = {0};
  int agree = 0, compared = 0;
  printf(
      "\nsolvers with residuals below %g, and the largest difference of their velocities, m/s;\n"
      "where that is above %g the two farthest apart, each with its residual, how far it is off\n"
      "the law by another measure, and how far Newton's method moves it, m/s\n\n",
      b->tolerance, same);
  for (int i = 0; i < b->count; i++) {
    const contact_problem *p = &b->problems[i].problem;
    size_t n = contact_problem_count(p), best = 0, far = 0, solved = 0;
    answer a[MOST_SOLVERS];
    for (size_t s = 0; s < contact_solver_count; s++) {
      a[s] = solve_from(p, contact_solvers[s], NULL, b->tolerance);
      solved += a[s].solved;
      if (a[s].solved) off[s] = fmax(off[s], a[s].off);
      if (a[s].solved && (!a[best].solved || a[s].residual < a[best].residual)) best = s;
    }
    double most = 0;
    for (size_t s = 0; s < contact_solver_count; s++) {
      double by = a[s].solved && a[best].solved ? apart(&a[s], &a[best], n) : 0;
      if (by > most) most = by, far = s;
    }
    compared += solved > 1;
    agree += solved > 1 && most <= same;
    printf("%-34s %5zu %2zu  %.1e", b->problems[i].title, n, solved, most);
    if (most > same) {
      print_answer(p, contact_solvers[best]->name, &a[best]);
      print_answer(p, contact_solvers[far]->name, &a[far]);
    }
    printf("\n");
    for (size_t s = 0; s < contact_solver_count; s++) answer_free(&a[s]);
    fflush(stdout);
  }
  printf("\nall agree to %g on %d of %d\nworst off the law, of what seems solved:", same, agree,
         compared);
  for (size_t s = 0; s < contact_solver_count; s++)
    printf(" %s %.0e", contact_solvers[s]->name, off[s]);
  printf("\n");
}

static void print_against_peer(const bench *b) {
  printf("\nmilliseconds; x: not reached, with the residual where it stopped\n\n%-34s %8s %11s",
         "problem", "contacts", "auto");
  int solved = 0, level = 0, twice = 0;
#ifdef TRIBO_SICONOS
  int peers = 0;
  printf(" %11s %11s %10s", "NSGS", "NSN-AC", "times");
#endif
  printf("  %10s  %s\n", "iterations", "used");
  for (int i = 0; i < b->count; i++) {
    const contact_problem *p = &b->problems[i].problem;
    figure ours = measure(b, p, &contact_auto);
    printf("%-34s %8zu", b->problems[i].title, contact_problem_count(p));
    print_figure(&ours);
    solved += ours.solved;
#ifdef TRIBO_SICONOS
    figure a = measure_peer(b, p, PEER_NSGS), c = measure_peer(b, p, PEER_NSN_AC);
    print_figure(&a);
    print_figure(&c);
    double theirs = fmin(a.solved ? a.seconds : INFINITY, c.solved ? c.seconds : INFINITY);
    peers += theirs < INFINITY;
    if (ours.solved && theirs < INFINITY)
      printf(" %9.1f ", theirs / ours.seconds);
    else
      printf(" %9s ", ours.solved ? "alone" : theirs < INFINITY ? "lost" : "-");
    level += ours.solved && ours.seconds <= theirs;
    twice += ours.solved && 2 * ours.seconds <= theirs;
#endif
    printf("  %10d  %s\n", ours.iterations, ours.used);
    fflush(stdout);
  }
  printf("solved: %d of %d\n", solved, b->count);
#ifdef TRIBO_SICONOS
  printf("Siconos' better one solved: %d\n", peers);
  printf("at least as fast as Siconos' better one: %d of %d; twice as fast: %d\n", level, b->count,
         twice);
#else
  (void)level;
  (void)twice;
  printf("Siconos (libsiconos-numerics-dev) was not there when this was built: no peer\n");
#endif
}

int main(int count, char **words) {
  static bench b = {.tolerance = 1e-8,
                    .files = "",
                    .folder = TRIBO_SOURCE_DIR "/../shared/data/contact_problems"};
  for (int i = 1; i < count; i++) {
    if (strcmp(words[i], "--quick") == 0) b.quick = true;
    if (strcmp(words[i], "--all") == 0) b.all = true;
    if (strcmp(words[i], "--agree") == 0) b.agree = true;
    if (strcmp(words[i], "--only-files") == 0) b.only_files = true;
    if (strcmp(words[i], "--tolerance") == 0 && i + 1 < count) b.tolerance = atof(words[++i]);
    if (strcmp(words[i], "--files") == 0 && i + 1 < count) b.files = words[++i];
    if (strcmp(words[i], "--folder") == 0 && i + 1 < count) b.folder = words[++i];
  }
  if (!b.quick) add_files(&b);
  if (!b.only_files) add_piles(&b);
  if (b.agree)
    print_agreement(&b);
  else if (b.all)
    print_all(&b);
  else
    print_against_peer(&b);
  for (int i = 0; i < b.count; i++) contact_stored_free(&b.problems[i]);
  return 0;
}
