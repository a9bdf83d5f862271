/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * reference: docs/scene.md, made from params.inl and the keys of scene_keys. A test holds the file
 * against it.
 */
#ifndef SCENE_REFERENCE_H
#define SCENE_REFERENCE_H

#include <stdio.h>

/* Write errors are left to the stream. */
void reference_write(FILE *out);

#endif
