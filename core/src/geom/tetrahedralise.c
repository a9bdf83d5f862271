/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* prlimit, closefrom */
#include "geom/tetrahedralise.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/number.h"
#include "geom/closed.h"
#include "geom/winding.h"
#include "io/scan.h"

extern char **environ;

enum { PATH_SIZE = 64, OPTIONS_SIZE = 96, MOST_SECONDS = 600 };

static const char PROGRAM[] = "tetgen";

/* A tet flatter than this part of the cube of its longest edge is of no use to a simulation. */
static const double FLAT = 1e-9;

/* ---- its folder ------------------------------------------------------------------------------ */

typedef struct folder {
  char path[24];
} folder;

/* Without stdio: a guard calls it. */
static void path_of(const folder *f, const char *name, char out[PATH_SIZE]) {
  size_t length = strlen(f->path);
  memcpy(out, f->path, length);
  out[length] = '/';
  memcpy(out + length + 1, name, strlen(name) + 1);
}

static tribo_status folder_open(folder *f, tribo_error *err) {
  snprintf(f->path, sizeof f->path, "/tmp/tribo-tets-XXXXXX");
  if (mkdtemp(f->path)) return TRIBO_OK;
  return status_fail(err, TRIBO_IO, "cannot make a folder in /tmp for the tets: %s",
                     strerror(errno));
}

static void folder_remove(const folder *f) {
  static const char *const names[] = {"s.smesh",        "s.1.node",      "s.1.ele", "s.1.face",
                                      "s.1.edge",       "s.1.smesh",     "log",     "s.1.neigh",
                                      "s_skipped.face", "s_skipped.node"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[PATH_SIZE];
    path_of(f, names[i], path);
    unlink(path);
  }
  rmdir(f->path);
}

/* ---- a process that outlives this one -------------------------------------------------------- */

typedef struct guard {
  pid_t process; /* -1: there is none */
  int alive;     /* the end of a pair of sockets that the system closes when this process ends */
} guard;

/* In the new process, where only what a handler of signals may call is allowed. */
static void watch(const folder *f, pid_t tetgen, int other_end) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) signal(numbers[i], SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  dup2(other_end, 0);
  closefrom(1); /* nobody shall wait for what this process might write */
  char word;
  ssize_t got;
  do got = read(0, &word, 1);
  while (got < 0 && errno == EINTR);
  if (got == 0) { /* the other end is gone, without a word */
    kill(tetgen, SIGKILL);
    folder_remove(f);
  }
  _exit(0);
}

/* Best effort: without it, what a kill leaves in /tmp stays there. */
static void guard_open(const folder *f, pid_t tetgen, guard *out) {
  int ends[2];
  *out = (guard){-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  out->process = fork();
  if (out->process == 0) {
    close(ends[1]);
    watch(f, tetgen, ends[0]);
  }
  close(ends[0]);
  out->alive = ends[1];
}

static void guard_close(guard *g) {
  if (g->alive < 0) return;
  send(g->alive, "", 1, MSG_NOSIGNAL); /* it may have been killed */
  close(g->alive);
  while (g->process > 0 && waitpid(g->process, NULL, 0) < 0 && errno == EINTR) continue;
}

/* ---- the program ----------------------------------------------------------------------------- */

/* Starts TetGen with its output in a file, open files and signals of this process not handed on,
 * and an end to the time it may take. Returns an error number. */
static int start(const char *options, const char *input, const char *log, pid_t *child) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&files);
  if (error) return error;
  error = posix_spawnattr_init(&attributes);
  if (error) {
    posix_spawn_file_actions_destroy(&files);
    return error;
  }
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGABRT);
  sigaddset(&defaults, SIGCHLD);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  char program[sizeof PROGRAM], switches[OPTIONS_SIZE], path[PATH_SIZE];
  snprintf(program, sizeof program, "%s", PROGRAM);
  snprintf(switches, sizeof switches, "%s", options);
  snprintf(path, sizeof path, "%s", input);
  char *arguments[] = {program, switches, path, NULL};
  error = posix_spawnp(child, PROGRAM, &files, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error) return error;
  struct rlimit time = {MOST_SECONDS, MOST_SECONDS}, nothing = {0, 0};
  prlimit(*child, RLIMIT_CPU, &time, NULL); /* it has been known to run in circles */
  prlimit(*child, RLIMIT_CORE, &nothing, NULL);
  return 0;
}

/* The host may reap children itself; the exit code is then lost, and the files must tell. */
static bool finished_well(pid_t child) {
  int code = 0;
  pid_t got;
  do got = waitpid(child, &code, 0);
  while (got < 0 && errno == EINTR);
  return got != child || (WIFEXITED(code) && WEXITSTATUS(code) == 0);
}

static tribo_status run_tetgen(const folder *f, const char *options, const char *input,
                               const char *log, tribo_error *err) {
  pid_t child;
  int error = start(options, input, log, &child);
  if (error == ENOENT)
    return status_fail(err, TRIBO_UNAVAILABLE,
                       "filling a surface with tets needs the program tetgen: run scripts/setup, "
                       "or set tets.from to 'lattice'");
  if (error)
    return status_fail(err, TRIBO_UNAVAILABLE, "the program tetgen cannot be started: %s",
                       strerror(error));
  guard g;
  guard_open(f, child, &g);
  bool well = finished_well(child);
  guard_close(&g);
  if (well) return TRIBO_OK;
  return status_fail(err, TRIBO_BAD_INPUT,
                     "TetGen gave up: triangles lie on each other or touch; clean the surface, or "
                     "set tets.from to 'lattice'");
}

bool tetrahedralise_available(void) {
  pid_t child;
  /* Without a file it says how it is used, and ends one way or the other. */
  if (start("-h", "", "/dev/null", &child)) return false;
  finished_well(child);
  return true;
}

/* ---- its files ------------------------------------------------------------------------------- */

/* A power of two that brings the surface to about size 1: TetGen has absolute tolerances, and
 * multiplying by it rounds nothing. */
static double unit_of(const vec3 *positions, size_t count) {
  double largest = 0;
  for (size_t i = 0; i < count; i++)
    largest = fmax(largest, vec3_max_abs(vec3_sub(positions[i], positions[0])));
  int exponent = 0;
  frexp(largest, &exponent);
  return ldexp(1, -exponent);
}

typedef struct surface {
  const vec3 *positions;
  size_t vertex_count;
  const int32_t *triangles;
  size_t triangle_count;
  double unit; /* what its coordinates are multiplied by in files */
} surface;

static void put(FILE *f, double value) {
  char text[NUMBER_SIZE];
  number_print(text, value, NUMBER_EXACT);
  fprintf(f, " %s", text);
}

static tribo_status write_surface(const surface *s, const char *path, tribo_error *err) {
  file_out out;
  TRY(file_create(path, &out, err));
  fprintf(out.stream, "%zu 3 0 0\n", s->vertex_count);
  for (size_t i = 0; i < s->vertex_count; i++) {
    vec3 p = vec3_scale(s->unit, s->positions[i]);
    fprintf(out.stream, "%zu", i);
    put(out.stream, p.x);
    put(out.stream, p.y);
    put(out.stream, p.z);
    fputc('\n', out.stream);
  }
  fprintf(out.stream, "%zu 0\n", s->triangle_count);
  for (size_t i = 0; i < s->triangle_count; i++)
    fprintf(out.stream, "3 %d %d %d\n", s->triangles[3 * i], s->triangles[3 * i + 1],
            s->triangles[3 * i + 2]);
  fputs("0\n0\n", out.stream); /* no holes, no regions */
  return file_commit(&out, err);
}

/* The first number of a file: how many lines follow. TetGen leaves a file out when there is nothing
 * to put in it. */
static tribo_status read_count(scan *s, size_t *out, tribo_error *err) {
  scan_word word;
  int64_t count;
  if (!scan_int(s, &word, &count) || count < 0 || count > INT32_MAX / 8)
    return scan_fail(s, err, "a number of items is missing");
  *out = (size_t)count;
  return TRIBO_OK;
}

static tribo_status read_nodes(const surface *from, scan *s, arena *memory, tetrahedra *out,
                               tribo_error *err) {
  TRY(read_count(s, &out->node_count, err));
  if (out->node_count < from->vertex_count)
    return scan_fail(s, err, "TetGen dropped vertices of the surface");
  out->nodes = ARENA_ARRAY(memory, vec3, out->node_count);
  if (!out->nodes) return status_no_memory(err, "the nodes of tets");
  for (size_t i = 0; i < out->node_count; i++) {
    scan_word word;
    int64_t number;
    vec3 p;
    if (!scan_line(s) || !scan_int(s, &word, &number) || !scan_double(s, &word, &p.x) ||
        !scan_double(s, &word, &p.y) || !scan_double(s, &word, &p.z) || number != (int64_t)i ||
        !vec3_finite(p))
      return scan_fail(s, err, "node %zu is not what TetGen writes", i);
    out->nodes[i] = vec3_scale(1 / from->unit, p);
    if (i < from->vertex_count) out->nodes[i] = from->positions[i];
  }
  return TRIBO_OK;
}

/* Tets with the number of the region they are in: what the surface cuts apart. */
static tribo_status read_tets(scan *s, arena *memory, tetrahedra *out, int32_t **region,
                              tribo_error *err) {
  TRY(read_count(s, &out->tet_count, err));
  out->tets = ARENA_ARRAY(memory, int32_t, 4 * out->tet_count);
  *region = ARENA_ARRAY(memory, int32_t, out->tet_count);
  if (!out->tets || !*region) return status_no_memory(err, "tets");
  for (size_t i = 0; i < out->tet_count; i++) {
    scan_word word;
    int64_t number[6];
    bool good = scan_line(s);
    for (int a = 0; a < 6; a++) good = good && scan_int(s, &word, &number[a]);
    for (int a = 1; a < 5; a++)
      good = good && number[a] >= 0 && number[a] < (int64_t)out->node_count;
    if (!good || number[5] < 0 || number[5] > INT32_MAX)
      return scan_fail(s, err, "tet %zu is not what TetGen writes", i);
    for (int a = 0; a < 4; a++) out->tets[4 * i + (size_t)a] = (int32_t)number[a + 1];
    (*region)[i] = (int32_t)number[5];
  }
  return TRIBO_OK;
}

static tribo_status read_result(const folder *f, const surface *from, arena *memory,
                                tetrahedra *out, int32_t **region, tribo_error *err) {
  char path[PATH_SIZE];
  file_text nodes = {0}, tets = {0};
  path_of(f, "s.1.node", path);
  tribo_status status = file_read(path, &nodes, err);
  path_of(f, "s.1.ele", path);
  if (status == TRIBO_OK) status = file_read(path, &tets, err);
  if (status == TRIBO_OK) {
    scan s = {.name = "s.1.node", .at = nodes.data, .end = nodes.data + nodes.size, .line = 1};
    status = read_nodes(from, &s, memory, out, err);
  } else {
    status_fail(err, status, "TetGen found nothing inside the surface");
  }
  if (status == TRIBO_OK) {
    scan s = {.name = "s.1.ele", .at = tets.data, .end = tets.data + tets.size, .line = 1};
    status = read_tets(&s, memory, out, region, err);
  }
  free(nodes.data);
  free(tets.data);
  return status;
}

/* ---- what is made of them -------------------------------------------------------------------- */

static double volume_of(const vec3 *x, const int32_t *t) {
  return vec3_dot(vec3_cross(vec3_sub(x[t[1]], x[t[0]]), vec3_sub(x[t[2]], x[t[0]])),
                  vec3_sub(x[t[3]], x[t[0]])) /
         6;
}

static vec3 middle_of(const vec3 *x, const int32_t *t) {
  return vec3_scale(0.25, vec3_add(vec3_add(x[t[0]], x[t[1]]), vec3_add(x[t[2]], x[t[3]])));
}

static void wind(tetrahedra *m) {
  for (size_t i = 0; i < m->tet_count; i++) {
    int32_t *t = m->tets + 4 * i, kept = t[0];
    if (volume_of(m->nodes, t) > 0) continue;
    t[0] = t[1];
    t[1] = kept;
  }
}

/* Drops the regions that the surface does not wrap around. A region's winding number is asked for
 * once, in the middle of its largest tet, where it is farthest from rounding. */
static tribo_status drop_cavities(const surface *s, const int32_t *region, arena *scratch,
                                  tetrahedra *m, tribo_error *err) {
  int32_t last = 0;
  for (size_t i = 0; i < m->tet_count; i++)
    if (region[i] > last) last = region[i];
  double *largest = ARENA_ARRAY(scratch, double, (size_t)last + 1);
  size_t *tet = ARENA_ARRAY(scratch, size_t, (size_t)last + 1);
  bool *solid = ARENA_ARRAY(scratch, bool, (size_t)last + 1);
  if (!largest || !tet || !solid) return status_no_memory(err, "the regions of tets");
  for (size_t i = 0; i < m->tet_count; i++) {
    double volume = volume_of(m->nodes, m->tets + 4 * i);
    if (volume <= largest[region[i]]) continue;
    largest[region[i]] = volume;
    tet[region[i]] = i;
  }
  winding w;
  TRY(winding_build(s->positions, s->triangles, s->triangle_count, scratch, &w, err));
  for (int32_t r = 0; r <= last; r++) {
    if (largest[r] == 0) continue;
    vec3 p = middle_of(m->nodes, m->tets + 4 * tet[r]);
    double number = winding_number(&w, p);
    if (number < -0.5)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "the part of the surface around (%g, %g, %g) is inside out; flip its "
                         "normals",
                         p.x, p.y, p.z);
    solid[r] = number > 0.5;
  }
  size_t kept = 0;
  for (size_t i = 0; i < m->tet_count; i++)
    if (solid[region[i]]) memmove(m->tets + 4 * kept++, m->tets + 4 * i, 4 * sizeof *m->tets);
  m->tet_count = kept;
  return TRIBO_OK;
}

/* Inner nodes of cavities go; the others move up. */
static tribo_status drop_unused(const surface *s, arena *scratch, tetrahedra *m, tribo_error *err) {
  int32_t *number = ARENA_ARRAY(scratch, int32_t, m->node_count);
  if (!number) return status_no_memory(err, "the nodes of tets");
  for (size_t i = 0; i < 4 * m->tet_count; i++) number[m->tets[i]] = 1;
  size_t count = 0;
  for (size_t i = 0; i < m->node_count; i++) {
    vec3 p = m->nodes[i];
    if (number[i] == 0 && i < s->vertex_count)
      return status_fail(err, TRIBO_BAD_INPUT,
                         "no tet reaches vertex %zu at (%g, %g, %g); clean the surface there", i,
                         p.x, p.y, p.z);
    if (number[i] == 0) continue;
    m->nodes[count] = p;
    number[i] = (int32_t)count++;
  }
  m->node_count = count;
  for (size_t i = 0; i < 4 * m->tet_count; i++) m->tets[i] = number[m->tets[i]];
  return TRIBO_OK;
}

/* What TetGen promises, it also has to have kept. */
static tribo_status check(const surface *s, const tetrahedra *m, tribo_error *err) {
  double sum = 0, wanted = closed_volume(s->positions, s->triangles, s->triangle_count);
  for (size_t i = 0; i < m->tet_count; i++) {
    const int32_t *t = m->tets + 4 * i;
    double volume = volume_of(m->nodes, t), edge2 = 0;
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < a; b++)
        edge2 = fmax(edge2, vec3_norm2(vec3_sub(m->nodes[t[a]], m->nodes[t[b]])));
    vec3 p = middle_of(m->nodes, t);
    if (!(volume > FLAT * edge2 * sqrt(edge2)))
      return status_fail(err, TRIBO_BAD_INPUT,
                         "the surface forces a flat tet at (%g, %g, %g); even out the triangles "
                         "there, or set tets.from to 'lattice'",
                         p.x, p.y, p.z);
    sum += volume;
  }
  if (fabs(sum - wanted) <= 1e-6 * wanted) return TRIBO_OK;
  return status_fail(err, TRIBO_BAD_INPUT,
                     "TetGen filled %g m^3 of the %g m^3 that the surface encloses; clean it, or "
                     "set tets.from to 'lattice'",
                     sum, wanted);
}

static double mean_edge(const surface *s) {
  double sum = 0;
  for (size_t i = 0; i < 3 * s->triangle_count; i++) {
    size_t next = i % 3 == 2 ? i - 2 : i + 1;
    sum += vec3_norm(vec3_sub(s->positions[s->triangles[next]], s->positions[s->triangles[i]]));
  }
  return sum / (3 * (double)s->triangle_count);
}

static double edge_allowed(const surface *s, double size) {
  return size > 0 ? size : 2 * mean_edge(s);
}

/* Of a regular tet with these edges. */
static double volume_allowed(double edge) { return edge * edge * edge / (6 * sqrt(2)); }

double tetrahedralise_estimate(const vec3 *positions, const int32_t *triangles,
                               size_t triangle_count, double size) {
  surface s = {.positions = positions, .triangles = triangles, .triangle_count = triangle_count};
  return closed_volume(positions, triangles, triangle_count) /
         volume_allowed(edge_allowed(&s, size));
}

/* p: fill a surface; Y: keep it as it is; q: radius to edge at most 1.3, dihedral angles 10 degrees
 * at least, as far as the surface lets it; O, o: improve angles above 150 degrees with all means;
 * a: volume at most, that of a regular tet; A: number the regions; z: count from 0; B, F: no files
 * beyond nodes and tets. */
static void choose_options(const surface *s, double size, char out[OPTIONS_SIZE]) {
  char volume[NUMBER_SIZE];
  number_print(volume, volume_allowed(s->unit * edge_allowed(s, size)), 6);
  snprintf(out, OPTIONS_SIZE, "-pYq1.3/10O7/7o/150a%sAzBFQ", volume);
}

static tribo_status fill_in(const folder *f, const surface *s, double size, arena *scratch,
                            arena *memory, tetrahedra *out, tribo_error *err) {
  char input[PATH_SIZE], log[PATH_SIZE], options[OPTIONS_SIZE];
  path_of(f, "s.smesh", input);
  path_of(f, "log", log);
  choose_options(s, size, options);
  TRY(write_surface(s, input, err));
  TRY(run_tetgen(f, options, input, log, err));
  int32_t *region;
  TRY(read_result(f, s, memory, out, &region, err));
  wind(out);
  TRY(drop_cavities(s, region, scratch, out, err));
  TRY(drop_unused(s, scratch, out, err));
  return check(s, out, err);
}

tribo_status tetrahedralise_surface(const char *name, const vec3 *positions, size_t vertex_count,
                                    const int32_t *triangles, size_t triangle_count, double size,
                                    arena *memory, tetrahedra *out, tribo_error *err) {
  surface s = {positions, vertex_count, triangles, triangle_count, 1};
  arena scratch = {0};
  folder f;
  *out = (tetrahedra){0};
  tribo_status status = closed_check(positions, vertex_count, triangles, triangle_count, err);
  if (status == TRIBO_OK) status = folder_open(&f, err);
  if (status == TRIBO_OK) {
    s.unit = unit_of(positions, vertex_count);
    status = fill_in(&f, &s, size, &scratch, memory, out, err);
    folder_remove(&f);
  }
  arena_free(&scratch);
  return status == TRIBO_OK ? status : status_prefix(err, status, "object '%s': ", name);
}
