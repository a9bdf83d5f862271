/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * number: numbers as text, exact both ways and deaf to the locale.
 *
 * A host program may have set a decimal comma (LC_NUMERIC) for the whole process; strtod and printf
 * obey it, files must not. Reading gives the double nearest to the decimal, ties to even, as strtod
 * does; what number_print writes with NUMBER_EXACT digits reads back as the same double.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole of text[0..length) as a decimal number such as "-1.5e-3"; false when it is anything
 * else ("nan", "0x10", "1,5", ""). A decimal beyond the range of doubles comes out infinite. */
bool number_read(const char *text, size_t length, double *out);

/* The same for a whole number; false also when it does not fit. */
bool number_read_int(const char *text, size_t length, int64_t *out);

enum {
  NUMBER_SIZE = 40,       /* room for any number and its closing 0 */
  NUMBER_EXACT = 17,      /* significant digits that tell every double apart */
  NUMBER_EXACT_FLOAT = 9, /* and every float */
};

/* Writes a finite value as %.<digits>g does in the C locale; returns the length. */
size_t number_print(char text[NUMBER_SIZE], double value, int digits);

size_t number_print_int(char text[NUMBER_SIZE], int64_t value);

#endif
