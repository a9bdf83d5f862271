/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * number: doubles as text, the same in every locale.
 */
#ifndef SCENE_NUMBER_H
#define SCENE_NUMBER_H

enum { NUMBER_SIZE = 32 };

/* As few digits as bring back the same double, with a point whatever LC_NUMERIC says: "0.1",
 * "1e-06", "nan". Returns out. */
char *number_text(double value, char out[NUMBER_SIZE]);

#endif
