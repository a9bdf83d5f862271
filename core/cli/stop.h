/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stop: the wish to stop, by SIGINT, SIGTERM or SIGHUP.
 *
 * A program that was started by another part of this one ('wedge run' starts 'wedge bake' starts
 * 'bake') hears the same wish twice: from whoever had it, who often tells all processes, and from
 * its starter, who passes it on. What the starter says is never a second wish.
 */
#ifndef CLI_STOP_H
#define CLI_STOP_H

#include <stdbool.h>
#include <sys/types.h>

/* From now on signals are wishes. leave: the second ends the program at once, with 130. */
void stop_catch(bool leave);

bool stop_wanted(void);
bool stop_wanted_twice(void);

/* The reader of a pipe is gone: as if somebody had wished. */
void stop_wish(void);

/* Starts this program anew in a child, whose starter this one is: words end with NULL. The child
 * ends when this one does, whatever ends it. errors: where its stderr goes, -1: to the same place;
 * quiet: stdout goes nowhere. -1 when it cannot be started. */
pid_t stop_start(char *const *words, int errors, bool quiet);

#endif
