/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wedge: what the commands of a wedge share.
 */
#ifndef CLI_WEDGE_H
#define CLI_WEDGE_H

#include "cli.h"

/* The wedge of the operand; NULL after saying what is wrong. */
tribo_wedge *wedge_of(const arguments *args);

/* Seconds of a clock that only goes forward. */
double wedge_clock(void);

/* Renders thumbnails of an item: those that are missing, of the frames (NULL: spread over all) that
 * are there. An exit code; a Blender that is not there is told and is no failure. */
int wedge_pictures(const tribo_wedge *wedge, size_t number, const char *blender,
                   const char *frames);

#endif
