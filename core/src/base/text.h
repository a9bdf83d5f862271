/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * text: small helpers for names and messages.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Copy on the heap; NULL for NULL or when out of memory. */
char *text_copy(const char *text);

/* How many letters must change, be added or dropped to turn a into b. */
size_t text_distance(const char *a, const char *b);

/* The name nearest to `word`, when near enough to be what was meant; NULL otherwise. */
const char *text_suggest(const char *word, const char *const *names, size_t count);

/* Whether a path has the extension (".pc2", in any case) and something before it. */
bool text_ends_in(const char *path, const char *extension);

#endif
