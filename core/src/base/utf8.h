/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * utf8: whether a text is UTF-8, and whether two names are one to some file system.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character that text begins with; 0 where it is no UTF-8. */
size_t utf8_length(const char *text);

bool utf8_valid(const char *text);

/* Whether two names differ at most in case and in how marks are put together: "\u00c4" and "a"
 * with U+0308 are alike. File systems of Windows and macOS would take them for one. Known are the
 * letters up to U+FFFF, Hangul too; every other character is like itself alone, and so are several
 * marks on one letter in another order. Both are valid. */
bool utf8_alike(const char *a, const char *b);

#endif
