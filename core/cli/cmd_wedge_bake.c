/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tribo wedge bake: bakes one scene of a wedge: what a task of a farm does.
 *
 * The bake is a child of its own. Where it is killed, for want of memory most likely, this program
 * is still there to write down how it ended and what it took; where this one is killed the child
 * goes with it, and the record tells what was taken until shortly before.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "progress.h"
#include "stop.h"
#include "wedge.h"

enum { BEAT_MS = 200, SILENCE_SECONDS = 60 };

/* ---- what the child says on stderr: passed on, and the last fault kept ---- */

typedef struct ear {
  int pipe;
  char line[TRIBO_MESSAGE_SIZE];
  size_t length;
  char fault[TRIBO_MESSAGE_SIZE];
} ear;

static void take_line(ear *e) {
  static const char opening[] = "tribo: ";
  static const char *const others[] = {"warning: ", "note: ", "to go on: "};
  e->line[e->length] = 0;
  e->length = 0;
  if (strncmp(e->line, opening, strlen(opening)) != 0) return;
  const char *said = e->line + strlen(opening);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strncmp(said, others[i], strlen(others[i])) == 0) return;
  snprintf(e->fault, sizeof e->fault, "%s", said);
}

/* Whatever there is now; false once the child has closed it. */
static bool listen_for(ear *e, int milliseconds) {
  struct pollfd ready = {.fd = e->pipe, .events = POLLIN};
  if (poll(&ready, 1, milliseconds) <= 0) return true;
  char heard[512];
  ssize_t size = read(e->pipe, heard, sizeof heard);
  if (size == 0) return false;
  if (size < 0) return errno == EINTR || errno == EAGAIN;
  fwrite(heard, 1, (size_t)size, stderr);
  for (ssize_t i = 0; i < size; i++) {
    if (heard[i] == '\n')
      take_line(e);
    else if (e->length < sizeof e->line - 1)
      e->line[e->length++] = heard[i];
  }
  return true;
}

/* ---- the child ---- */

/* The most memory that a process has had, bytes; 0 where nobody tells. */
static double peak_of(pid_t process) {
  char path[64], line[256];
  double kilobytes = 0;
  snprintf(path, sizeof path, "/proc/%ld/status", (long)process);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "VmHWM: %lf kB", &kilobytes) == 1) break;
  if (file) fclose(file);
  return 1024 * kilobytes;
}

typedef struct ending {
  int exit_code; /* -1: by a signal */
  int signal_number;
  double peak;
} ending;

/* Lines while a long frame is solved: an engine takes silence for death. */
static void break_silence(const arguments *args, double begin, double *said) {
  const char *style = arguments_value(args, "progress");
  double now = wedge_clock();
  if (!style || strcmp(style, "flamenco") != 0 || now - *said < SILENCE_SECONDS) return;
  *said = now;
  printf("still at work after %.0f s\n", now - begin);
  fflush(stdout);
}

static void pass_on_wish(pid_t child, int *told) {
  if (stop_wanted_twice())
    kill(child, SIGKILL);
  else if (stop_wanted() && !*told)
    kill(child, SIGTERM);
  *told = stop_wanted();
}

/* Until the child has ended. */
static ending watch(const arguments *args, pid_t child, ear *e, tribo_wedge_attempt *attempt) {
  double begin = wedge_clock(), said = begin, beat = begin, peak = 0;
  int status = 0, told = 0;
  bool open = true;
  struct rusage used;
  while (wait4(child, &status, WNOHANG, &used) == 0) {
    if (open)
      open = listen_for(e, BEAT_MS / 4);
    else
      poll(NULL, 0, BEAT_MS / 4);
    pass_on_wish(child, &told);
    break_silence(args, begin, &said);
    if (wedge_clock() - beat < 1e-3 * BEAT_MS) continue;
    beat = wedge_clock();
    double now = peak_of(child);
    if (now > peak) peak = now;
    tribo_wedge_attempt_beat(attempt, peak);
  }
  while (open && listen_for(e, 0)) {
    struct pollfd more = {.fd = e->pipe, .events = POLLIN};
    if (poll(&more, 1, 0) <= 0) break;
  }
  take_line(e);
  if (1024.0 * (double)used.ru_maxrss > peak) peak = 1024.0 * (double)used.ru_maxrss;
  bool killed = WIFSIGNALED(status);
  return (ending){killed ? -1 : WEXITSTATUS(status), killed ? WTERMSIG(status) : 0, peak};
}

static pid_t start(const arguments *args, const tribo_wedge_item *item, int errors) {
  const char *threads = arguments_value(args, "threads"),
             *style = arguments_value(args, "progress");
  const char *const words[] = {"tribo",
                               "bake",
                               item->scene,
                               "--out",
                               item->bake,
                               "--resume",
                               "--threads",
                               threads ? threads : "1",
                               "--progress",
                               style ? style : "lines",
                               arguments_has(args, "strict") ? "--strict" : NULL,
                               NULL};
  return stop_start((char *const *)(uintptr_t)words, errors, false);
}

/* Bakes the item; the exit code is the bake's own, or 128 + the signal that ended it. */
static int bake(const arguments *args, const tribo_wedge *wedge, const tribo_wedge_item *item) {
  int ends[2];
  tribo_wedge_attempt *attempt;
  tribo_error err = {0};
  tribo_status status = tribo_wedge_attempt_begin(wedge, item->same_as, &attempt, &err);
  if (status != TRIBO_OK) return cli_fail(status, &err);
  if (pipe(ends) != 0) {
    tribo_wedge_attempt_end(attempt, EXIT_OTHER, 0, 0, "no pipe could be made");
    cli_say("no pipe could be made: %s", strerror(errno));
    return EXIT_OTHER;
  }
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  ear e = {.pipe = ends[0]};
  pid_t child = start(args, item, ends[1]);
  close(ends[1]);
  if (child < 0) {
    snprintf(e.fault, sizeof e.fault, "cannot start a bake: %s", strerror(errno));
    cli_say("%s", e.fault);
  }
  ending end = child < 0 ? (ending){.exit_code = EXIT_OTHER} : watch(args, child, &e, attempt);
  close(ends[0]);
  tribo_wedge_attempt_end(attempt, end.exit_code, end.signal_number, end.peak, e.fault);
  if (end.signal_number) cli_say("'%s' was killed by signal %d", item->label, end.signal_number);
  return end.signal_number ? 128 + end.signal_number : end.exit_code;
}

/* ---- the command ---- */

static int bake_item(const arguments *args, const tribo_wedge *wedge, size_t number) {
  tribo_wedge_item item;
  if (!tribo_wedge_item_at(wedge, number, &item)) {
    cli_say("there is no scene %zu in '%s': they are 0 to %zu", number, tribo_wedge_folder(wedge),
            tribo_wedge_count(wedge) - 1);
    return EXIT_BAD_INPUT;
  }
  tribo_wedge_outcome outcome;
  tribo_error err = {0};
  tribo_status status = tribo_wedge_outcome_of(wedge, item.same_as, &outcome, &err);
  if (status != TRIBO_OK) return cli_fail(status, &err);
  int code = EXIT_DONE;
  if (outcome.state == TRIBO_WEDGE_DONE)
    printf("'%s' is baked already\n", item.label);
  else
    code = bake(args, wedge, &item);
  bool whole = code == EXIT_DONE || code == EXIT_ROUGH;
  if (arguments_has(args, "pictures") && !stop_wanted() && (whole || code == EXIT_NOT_CONVERGED)) {
    int drawn = wedge_pictures(wedge, number, arguments_value(args, "blender"),
                               arguments_value(args, "frames"));
    if (code == EXIT_DONE) code = drawn;
  }
  return code;
}

static int run(const arguments *args) {
  int number = -1, threads = 1;
  int style = arguments_choice(args, "progress", PROGRESS_STYLES, PROGRESS_STYLE_COUNT, 0);
  if (style < 0 || !arguments_integer(args, "task", 0, 1000000, &number) ||
      !arguments_integer(args, "threads", 0, TRIBO_MOST_THREADS, &threads))
    return EXIT_BAD_INPUT;
  if (number < 0) {
    cli_say("'tribo wedge bake' needs the number of a scene: --task N");
    return EXIT_BAD_INPUT;
  }
  tribo_wedge *wedge = wedge_of(args);
  if (!wedge) return EXIT_BAD_INPUT;
  stop_catch(false);
  int code = bake_item(args, wedge, (size_t)number);
  tribo_wedge_free(wedge);
  return code;
}

const command cmd_wedge_bake = {
    .syntax = {.name = "wedge bake",
               .operand = "DIR",
               .about =
                   "Bakes one scene of a wedge, or goes on with it: what a task of a farm does.\n\n"
                   "Exit codes are those of 'tribo bake'; 128 + N where signal N ended it.",
               .options = {{"task", "N", "which scene, from 0; required"},
                           {"threads", "N", "how many threads; 0: all; 1 if not given"},
                           {"strict", NULL, "exits with 6 where a frame is rough"},
                           {"pictures", NULL, "then renders thumbnails for the contact sheet"},
                           {"frames", "A,B,C", "of these frames; 12 that are spread if not given"},
                           {"blender", "FILE", "the program Blender, where it is not on the path"},
                           {"progress", "HOW",
                            "as of 'tribo bake': openjd, flamenco and opencue for their engines"}}},
    .run = run,
};
