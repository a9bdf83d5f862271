/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shortest: doubles as text, as few digits as bring back the same double: "0.1", "1e-06". The same
 * in every locale; "nan" and "inf" too, for messages.
 */
#ifndef SCENE_SHORTEST_H
#define SCENE_SHORTEST_H

#include "base/number.h"

enum { SHORTEST_SIZE = NUMBER_SIZE };

/* Returns out. */
char *shortest_text(double value, char out[SHORTEST_SIZE]);

#endif
