/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * parsing: what the tests of the mesh readers share. Define PARSE as the reader's function and NAME
 * as the file it is to think it reads before including this.
 */
#ifndef TESTS_CORE_IO_PARSING_H
#define TESTS_CORE_IO_PARSING_H

#include "claims.h"
#include "io/mesh.h"

static tribo_status parse(const char *text, mesh *out, tribo_error *err) {
  /* A copy of just the size, so that the sanitizer sees a step beyond the closing 0. */
  size_t size = strlen(text);
  char *copy = malloc(size + 1);
  memcpy(copy, text, size + 1);
  tribo_status status = PARSE(NAME, copy, size, out, err);
  free(copy);
  return status;
}

/* Refused with these words, and nothing left behind. */
#define claim_refused(text, words)                                                                 \
  do {                                                                                             \
    mesh refused_ = {0};                                                                           \
    claim_fails(parse(text, &refused_, err), TRIBO_BAD_INPUT, words);                              \
    assert_null(refused_.positions);                                                               \
    assert_int_equal(refused_.vertex_count, 0);                                                    \
  } while (0)

static inline void claim_indices(const int32_t *actual, const int32_t *expected, size_t count) {
  for (size_t i = 0; i < count; i++) assert_int_equal(actual[i], expected[i]);
}

#endif
