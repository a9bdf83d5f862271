/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * embedded: files of other languages that the library writes out: pages, scripts, forms of engines.
 * They stand in the folders `files` of the rooms; core/embed.cmake makes arrays of them.
 */
#ifndef WEDGE_EMBEDDED_H
#define WEDGE_EMBEDDED_H

#include <stddef.h>

typedef struct embedded_file {
  const char *name; /* "sheet.html" */
  const char *text; /* closed by a 0 */
} embedded_file;

extern const embedded_file EMBEDDED_FILES[];
extern const size_t EMBEDDED_FILE_COUNT;

/* A word that is to be replaced, "@NAME@", and by what. */
typedef struct embedded_word {
  const char *word, *by;
} embedded_word;

/* The text of a file with every word replaced; free with free(), NULL when out of memory. */
char *embedded_fill(const char *name, const embedded_word *words, size_t count);

#endif
