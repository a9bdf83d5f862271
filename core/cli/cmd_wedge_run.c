/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tribo wedge run: bakes all scenes of a wedge on this machine, as many at once as fit.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stop.h"
#include "wedge.h"

/* A scene that is being baked. */
typedef struct runner_job {
  pid_t process; /* 0: none */
  size_t number;
  double memory;
} runner_job;

typedef struct runner {
  const arguments *args;
  const tribo_wedge *wedge;
  size_t *waiting; /* numbers of scenes */
  size_t count, begun, ended;
  runner_job *jobs;
  size_t job_count, at_work;
  double memory_free; /* bytes that may be used */
  double memory_used; /* thought to be, by those at work */
  double correction;  /* measured over estimated, the largest so far; from 1 */
  int code;           /* of the first that failed */
} runner;

/* ---- what fits ---- */

/* Bytes that are free for programs; 0 where nobody tells. */
static double memory_available(void) {
  char line[256];
  double kilobytes = 0;
  FILE *file = fopen("/proc/meminfo", "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "MemAvailable: %lf kB", &kilobytes) == 1) break;
  if (file) fclose(file);
  return 1024 * kilobytes;
}

static double need_of(const runner *r, size_t number) {
  tribo_wedge_item item = {0};
  tribo_wedge_item_at(r->wedge, number, &item);
  return item.memory * r->correction;
}

/* One alone always may: there is no machine with more room here. */
static bool fits(const runner *r, size_t number) {
  if (r->at_work >= r->job_count) return false;
  if (r->at_work == 0 || r->memory_free <= 0) return true;
  return r->memory_used + need_of(r, number) <= r->memory_free;
}

/* ---- one scene ---- */

/* Log of a bake, runs/NUMBER.log: lines of several bakes on one terminal would not be understood.
 */
static int open_log(const runner *r, size_t number) {
  char path[4096];
  snprintf(path, sizeof path, "%s/runs/%zu.log", tribo_wedge_folder(r->wedge), number);
  return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

static void begin_one(runner *r) {
  size_t number = r->waiting[r->begun++];
  char task[32];
  snprintf(task, sizeof task, "%zu", number);
  const char *threads = arguments_value(r->args, "threads"),
             *blender = arguments_value(r->args, "blender");
  const char *const words[] = {"tribo",
                               "wedge",
                               "bake",
                               tribo_wedge_folder(r->wedge),
                               "--task",
                               task,
                               "--threads",
                               threads ? threads : "1",
                               "--blender",
                               blender ? blender : "blender",
                               "--progress",
                               "none",
                               arguments_has(r->args, "pictures") ? "--pictures" : NULL,
                               NULL};
  int log = open_log(r, number);
  pid_t child = stop_start((char *const *)(uintptr_t)words, log, true);
  if (log >= 0) close(log);
  if (child < 0) {
    cli_say("cannot start a bake: %s", strerror(errno));
    r->code = EXIT_OTHER;
    r->ended++;
    return;
  }
  size_t slot = 0;
  while (r->jobs[slot].process) slot++;
  r->jobs[slot] = (runner_job){child, number, need_of(r, number)};
  r->memory_used += r->jobs[slot].memory;
  r->at_work++;
}

static void tell(runner *r, const runner_job *job, int code) {
  tribo_wedge_item item = {0};
  tribo_wedge_outcome outcome = {0};
  tribo_wedge_item_at(r->wedge, job->number, &item);
  if (tribo_wedge_outcome_of(r->wedge, job->number, &outcome, NULL) != TRIBO_OK) return;
  if (item.memory > 0 && outcome.peak_memory > r->correction * item.memory)
    r->correction = outcome.peak_memory / item.memory;
  printf("%zu of %zu: %zu %s: %s", r->ended, r->count, job->number, item.label,
         tribo_wedge_state_name(outcome.state));
  if (outcome.state != TRIBO_WEDGE_DONE)
    printf(", exit code %d: %s", code, outcome.why);
  else if (outcome.rough > 0)
    printf(", %s", outcome.verdict);
  printf("; %.1f s, %.0f MB\n", outcome.seconds, outcome.peak_memory / 1e6);
  fflush(stdout);
}

static void reap(runner *r, pid_t process, int status) {
  for (size_t i = 0; i < r->job_count; i++) {
    runner_job job = r->jobs[i];
    if (job.process != process) continue;
    int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    r->jobs[i].process = 0;
    r->memory_used -= job.memory;
    r->at_work--;
    r->ended++;
    if (code != EXIT_DONE && r->code == EXIT_DONE) r->code = code;
    tell(r, &job, code);
  }
}

static void pass_on(const runner *r, int number) {
  for (size_t i = 0; i < r->job_count; i++)
    if (r->jobs[i].process) kill(r->jobs[i].process, number);
}

/* ---- all of them ---- */

/* Waiting items: not done, and baked by nobody now. */
static tribo_status find_waiting(runner *r, tribo_error *err) {
  tribo_wedge_item item;
  for (size_t i = 0; tribo_wedge_item_at(r->wedge, i, &item); i++) {
    tribo_wedge_outcome outcome;
    if (item.same_as != i) continue;
    tribo_status status = tribo_wedge_outcome_of(r->wedge, i, &outcome, err);
    if (status != TRIBO_OK) return status;
    if (outcome.state == TRIBO_WEDGE_RUNNING)
      cli_say("note: scene %zu is baked by another program now, and is left to it", i);
    else if (outcome.state != TRIBO_WEDGE_DONE || arguments_has(r->args, "pictures"))
      r->waiting[r->count++] = i;
    if (item.memory > 0 && outcome.peak_memory > r->correction * item.memory)
      r->correction = outcome.peak_memory / item.memory;
  }
  return TRIBO_OK;
}

static void run_all(runner *r) {
  bool told = false;
  while (r->ended < r->begun || (r->begun < r->count && !stop_wanted())) {
    while (r->begun < r->count && !stop_wanted() && fits(r, r->waiting[r->begun])) begin_one(r);
    int status;
    pid_t process = waitpid(-1, &status, WNOHANG);
    if (process > 0) {
      reap(r, process, status);
      continue;
    }
    if (stop_wanted_twice())
      pass_on(r, SIGKILL);
    else if (stop_wanted() && !told)
      pass_on(r, SIGTERM);
    told = stop_wanted();
    enum { PAUSE_MS = 20 };
    poll(NULL, 0, PAUSE_MS);
  }
}

static int conclude(const runner *r) {
  if (stop_wanted()) {
    cli_say("stopped; the same command goes on");
    return EXIT_CANCELLED;
  }
  if (r->code != EXIT_DONE) cli_say("not all are done; the same command tries those again");
  return r->code;
}

static int run(const arguments *args) {
  int jobs = 0, threads = 1, megabytes = 0;
  if (!arguments_integer(args, "jobs", 0, 4096, &jobs) ||
      !arguments_integer(args, "memory", 1, 1 << 30, &megabytes) ||
      !arguments_integer(args, "threads", 0, TRIBO_MOST_THREADS, &threads))
    return EXIT_BAD_INPUT;
  tribo_wedge *wedge = wedge_of(args);
  if (!wedge) return EXIT_BAD_INPUT;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (jobs == 0) jobs = threads > 0 && cores > threads ? (int)(cores / threads) : 1;
  runner r = {.args = args,
              .wedge = wedge,
              .job_count = (size_t)jobs,
              .memory_free = megabytes ? 1e6 * megabytes : 0.9 * memory_available(),
              .correction = 1};
  r.waiting = calloc(tribo_wedge_count(wedge) + 1, sizeof *r.waiting);
  r.jobs = calloc(r.job_count + 1, sizeof *r.jobs);
  tribo_error err = {.message = "out of memory"};
  tribo_status status = r.waiting && r.jobs ? find_waiting(&r, &err) : TRIBO_NO_MEMORY;
  int code = status == TRIBO_OK ? EXIT_DONE : cli_fail(status, &err);
  if (code == EXIT_DONE) {
    stop_catch(false);
    run_all(&r);
    code = conclude(&r);
    if (r.count == 0) printf("all of '%s' is baked\n", tribo_wedge_folder(wedge));
  }
  free(r.waiting);
  free(r.jobs);
  tribo_wedge_free(wedge);
  return code;
}

const command cmd_wedge_run = {
    .syntax =
        {.name = "wedge run",
         .operand = "DIR",
         .about = "Bakes the scenes of a wedge that are not done, as many at once as fit.\n\n"
                  "Interrupt it, or kill it, at any moment: the same command goes on.",
         .options = {{"jobs", "N", "how many at once; 0, the default: one for each core"},
                     {"memory", "MB", "that all together may need; what is free now if not given"},
                     {"threads", "N", "of each bake; 1 if not given"},
                     {"pictures", NULL, "renders thumbnails too"},
                     {"blender", "FILE", "the program Blender, where it is not on the path"}}},
    .run = run,
};
