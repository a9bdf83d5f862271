/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "progress.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"

const char *const PROGRESS_STYLES[PROGRESS_STYLE_COUNT] = {"auto", "bar",    "lines",    "json",
                                                           "none", "openjd", "flamenco", "opencue"};

enum { WIDEST = 240, LONGEST_BAR = 40, SHORTEST_BAR = 5 };

progress progress_create(progress_style style) {
  if (style == PROGRESS_AUTO) style = isatty(STDERR_FILENO) ? PROGRESS_BAR : PROGRESS_LINES;
  return (progress){.style = style};
}

/* ---- the bar ---- */

static int terminal_width(void) {
  struct winsize size;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col < WIDEST ? size.ws_col : WIDEST;
}

/* "1:02:03", or "2:03" below an hour. */
static void print_duration(double seconds, char *out, size_t size) {
  if (!(seconds >= 0 && seconds < 1e8)) {
    snprintf(out, size, "?");
    return;
  }
  long whole = (long)(seconds + 0.5), hours = whole / 3600, minutes = whole / 60 % 60;
  if (hours)
    snprintf(out, size, "%ld:%02ld:%02ld", hours, minutes, whole % 60);
  else
    snprintf(out, size, "%ld:%02ld", minutes, whole % 60);
}

void progress_bar_text(const tribo_progress *now, int width, char *out, size_t size) {
  char left[32], frame[48], words[160];
  print_duration(now->seconds_left, left, sizeof left);
  snprintf(frame, sizeof frame, "frame %d/%d", now->frame, now->end);
  snprintf(words, sizeof words, "%.3g s/frame, %s left, %d contacts", now->seconds, left,
           now->contacts);

  /* From the whole to the bare frame number: what does not fit goes, the bar first. */
  int room = width - 1;
  int taken = (int)(strlen(frame) + strlen(words));
  int bar = room - taken - 4; /* two spaces and two brackets */
  if (bar > LONGEST_BAR) bar = LONGEST_BAR;
  if (bar >= SHORTEST_BAR) {
    double done = (now->frame - now->start + 1.0) / (now->end - now->start + 1.0);
    int full = (int)(done * bar);
    char cells[LONGEST_BAR + 1];
    for (int i = 0; i < bar; i++) cells[i] = i < full ? '#' : '.';
    cells[bar] = 0;
    snprintf(out, size, "%s [%s] %s", frame, cells, words);
  } else if (taken + 1 <= room) {
    snprintf(out, size, "%s %s", frame, words);
  } else if ((int)(strlen(frame) + strlen(left)) + 6 <= room) {
    snprintf(out, size, "%s %s left", frame, left);
  } else {
    snprintf(out, size, "%s", frame);
  }
  if (room < 0) room = 0;
  if (strlen(out) > (size_t)room) out[room] = 0;
}

static void draw_bar(progress *p, const tribo_progress *now) {
  char text[WIDEST + 16];
  int width = terminal_width();
  progress_bar_text(now, width, text, sizeof text);
  fprintf(stderr, "\r%-*s\r%s", width - 1, text, text);
  fflush(stderr);
  p->bar_shown = true;
}

void progress_clear(progress *p) {
  if (!p->bar_shown) return;
  fprintf(stderr, "\r%-*s\r", terminal_width() - 1, "");
  fflush(stderr);
  p->bar_shown = false;
}

/* ---- lines ---- */

static void print_line(const tribo_progress *now) {
  char left[32];
  print_duration(now->seconds_left, left, sizeof left);
  fprintf(stderr, "frame %d/%d: %.3g s, %d steps, %d iterations, %d contacts%s", now->frame,
          now->end, now->seconds, now->report.steps, now->report.newton_iterations, now->contacts,
          now->report.converged ? "" : ", not converged");
  const char *reason;
  for (int i = 0; (reason = cli_reason(now->report.rough, i)); i++)
    fprintf(stderr, "%s%s", i ? ", " : ": ", reason);
  fprintf(stderr, "; %s left\n", left);
}

static void print_json(const tribo_progress *now) {
  const tribo_report *r = &now->report;
  printf("{\"frame\": %d, \"start\": %d, \"end\": %d, \"seconds\": ", now->frame, now->start,
         now->end);
  cli_print_json_number(now->seconds);
  printf(", \"seconds_left\": ");
  cli_print_json_number(now->seconds_left);
  printf(
      ", \"contacts\": %d, \"substeps\": %d, \"cuts\": %d, \"newton_iterations\": %d, "
      "\"linear_iterations\": %d, \"residual\": ",
      now->contacts, r->steps, r->cuts, r->newton_iterations, r->linear_iterations);
  cli_print_json_number(r->residual);
  printf(", \"crossings\": ");
  cli_print_json_number(r->crossings < 0 ? (double)NAN : (double)r->crossings);
  printf(", \"new_crossings\": %d, \"rough\": [", r->new_crossings);
  const char *reason;
  for (int i = 0; (reason = cli_reason(r->rough, i)); i++)
    printf("%s\"%s\"", i ? ", " : "", reason);
  printf("], \"converged\": %s}\n", r->converged ? "true" : "false");
  fflush(stdout);
}

/* ---- engines ---- */

static double percent(const tribo_progress *now) {
  return 100 * (now->frame - now->start + 1.0) / (now->end - now->start + 1.0);
}

static void print_engine(const char *opening, const tribo_progress *now) {
  char left[32];
  print_duration(now->seconds_left, left, sizeof left);
  printf("%sframe %d of %d, %.3g s a frame, %s left\n", opening, now->frame, now->end, now->seconds,
         left);
  fflush(stdout);
}

/* Open Job Description, "Stdout/Stderr Messages": progress from 0 to 100, and a status of words. */
static void print_openjd(const tribo_progress *now) {
  printf("openjd_progress: %.1f\n", percent(now));
  print_engine("openjd_status: ", now);
}

/* Flamenco takes any line for a sign of life, OpenCue shows the last line of a log. */
static void print_percent(const tribo_progress *now) {
  char opening[32];
  snprintf(opening, sizeof opening, "%.0f%% ", floor(percent(now)));
  print_engine(opening, now);
}

bool progress_frame(progress *p, const tribo_progress *now) {
  errno = 0;
  switch (p->style) {
    case PROGRESS_BAR: draw_bar(p, now); break;
    case PROGRESS_LINES: print_line(now); break;
    case PROGRESS_JSON: print_json(now); break;
    case PROGRESS_OPENJD: print_openjd(now); break;
    case PROGRESS_FLAMENCO:
    case PROGRESS_OPENCUE: print_percent(now); break;
    case PROGRESS_AUTO:
    case PROGRESS_NONE: break;
  }
  /* A log that nobody keeps is no reason to stop; a program that reads JSON is one. */
  if (errno == EPIPE && (ferror(stdout) || ferror(stderr))) p->unheard = true;
  if (errno == EBADF && ferror(stdout)) p->unheard = true;
  return !p->unheard;
}

void progress_log(progress *p, tribo_log_level level, const char *message) {
  bool wordy = p->style == PROGRESS_BAR || p->style == PROGRESS_LINES;
  if (level == TRIBO_LOG_DEBUG || (level == TRIBO_LOG_INFO && !wordy)) return;
  progress_clear(p);
  cli_say("%s%s", level == TRIBO_LOG_WARNING ? "warning: " : "", message);
}

void progress_refused(const progress *p, const char *message) {
  if (p->style != PROGRESS_OPENJD) return;
  printf("openjd_fail: %s\n", message);
  fflush(stdout);
}

void progress_end(progress *p, const tribo_error *err, tribo_status status, int exit_code,
                  const tribo_verdict *verdict) {
  progress_clear(p);
  if (status != TRIBO_OK) progress_refused(p, err->message);
  if (p->style != PROGRESS_JSON) return;
  const char *word = status == TRIBO_OK          ? "done"
                     : status == TRIBO_CANCELLED ? "cancelled"
                                                 : "failed";
  printf("{\"status\": \"%s\", \"exit\": %d, \"code\": %d, \"message\": ", word, exit_code,
         err->code);
  cli_print_json_string(err->message);
  if (verdict) {
    printf(", \"rough\": %d, \"verdict\": ", verdict->rough);
    cli_print_json_string(verdict->text);
  }
  printf("}\n");
  fflush(stdout);
}
