/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * progress: how a bake shows how far it is. A bar on a terminal, a line a frame in a log file, a
 * line of JSON a frame for programs, lines in the forms that engines of farms understand, or
 * nothing.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "tribo/cache.h"

typedef enum progress_style {
  PROGRESS_AUTO,
  PROGRESS_BAR,
  PROGRESS_LINES,
  PROGRESS_JSON,
  PROGRESS_NONE,
  PROGRESS_OPENJD,
  PROGRESS_FLAMENCO,
  PROGRESS_OPENCUE
} progress_style;

/* In the order of the enum, for --progress. */
extern const char *const PROGRESS_STYLES[];
enum { PROGRESS_STYLE_COUNT = 8 };

typedef struct progress {
  progress_style style;
  bool bar_shown; /* the cursor stands behind a bar */
  bool unheard;   /* whoever read what is printed has gone, or never was */
} progress;

/* AUTO becomes BAR on a terminal and LINES elsewhere. */
progress progress_create(progress_style style);

/* False where nobody hears it: the reader of a pipe is gone, or stdout was closed. */
bool progress_frame(progress *p, const tribo_progress *now);

/* Words from the library: warnings always, the rest where there are words anyway. */
void progress_log(progress *p, tribo_log_level level, const char *message);

/* Takes the bar away, so that what follows stands on a line of its own. */
void progress_clear(progress *p);

/* Why there will be no bake, or no more of it, for engines that take reasons. */
void progress_refused(const progress *p, const char *message);

/* The last line for programs. verdict: of the frames that are there; NULL: it is not known. */
void progress_end(progress *p, const tribo_error *err, tribo_status status, int exit_code,
                  const tribo_verdict *verdict);

/* The bar for a terminal of `width` columns: as much as fits into width - 1 of them. */
void progress_bar_text(const tribo_progress *now, int width, char *out, size_t size);

#endif
