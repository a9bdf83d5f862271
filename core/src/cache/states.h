/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * states: a checkpoint a frame, states/000012.ckpt, from which a later bake can go on with a scene
 * that has changed meanwhile.
 *
 * A file is complete or absent. It is written before the bake's own checkpoint counts its frame,
 * and those of frames that are dropped go before anything else is written: a state that is there
 * belongs to the motion that is there.
 */
#ifndef CACHE_STATES_H
#define CACHE_STATES_H

#include "cache/checkpoint.h"

/* The path of a frame's state. Free with free(); NULL when out of memory. */
char *states_path(const char *folder, int frame);

/* TRIBO_BAD_INPUT where the folder of the states is a symbolic link or a file: what is behind it
 * may belong to another bake. Fine where there is none. */
tribo_status states_check(const char *folder, tribo_error *err);

/* Makes the folder of the states. */
tribo_status states_create(const char *folder, tribo_error *err);

/* Removes the states of all frames after `last`, and what a kill left of them half-written; with
 * INT_MIN all of them and their folder. Files of other names stay, and then so does the folder. */
tribo_status states_remove(const char *folder, int last, tribo_error *err);

/* The frames that have one, ascending, in memory of the caller's to free(). */
tribo_status states_list(const char *folder, int **frames, size_t *count, tribo_error *err);

#endif
