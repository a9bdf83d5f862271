/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shortest: doubles as text, the same in every locale.
 */
#ifndef SCENE_SHORTEST_H
#define SCENE_SHORTEST_H

enum { SHORTEST_SIZE = 32 };

/* As few digits as bring back the same double, with a point whatever LC_NUMERIC says: "0.1",
 * "1e-06", "nan". Returns out. */
char *shortest_text(double value, char out[SHORTEST_SIZE]);

#endif
