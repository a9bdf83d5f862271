/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/utf8.h"

#include <stdint.h>

typedef struct utf8_composed {
  uint16_t whole, base, mark;
} utf8_composed;

typedef struct utf8_case {
  uint16_t first, last, step;
  int32_t change;
} utf8_case;

#include "base/utf8_tables.inl"

enum { MOST_MARKS = 4 };

size_t utf8_length(const char *text) {
  const unsigned char *c = (const unsigned char *)text;
  if (*c < 0x80) return 1;
  size_t length = *c < 0xc2 ? 0 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : *c < 0xf5 ? 4 : 0;
  /* After four openings the second byte has a narrower range: no overlong forms, no surrogates,
   * nothing past U+10FFFF. */
  unsigned char low = *c == 0xe0 ? 0xa0 : *c == 0xf0 ? 0x90 : 0x80;
  unsigned char high = *c == 0xed ? 0x9f : *c == 0xf4 ? 0x8f : 0xbf;
  for (size_t i = 1; i < length; i++, low = 0x80, high = 0xbf)
    if (c[i] < low || c[i] > high) return 0;
  return length;
}

bool utf8_valid(const char *text) {
  for (size_t length; *text; text += length) {
    length = utf8_length(text);
    if (length == 0) return false;
  }
  return true;
}

static const utf8_composed *find_composed(uint32_t letter) {
  size_t low = 0, high = sizeof COMPOSED / sizeof *COMPOSED;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (COMPOSED[middle].whole == letter) return &COMPOSED[middle];
    if (COMPOSED[middle].whole < letter)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

static uint32_t without_case(uint32_t letter) {
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES && CASES[i].first <= letter; i++)
    if (letter <= CASES[i].last && (letter - CASES[i].first) % CASES[i].step == 0)
      return (uint32_t)((int32_t)letter + CASES[i].change);
  return letter;
}

/* A name as bare letters and their marks, one after the other. */
typedef struct letters {
  const char *at;
  uint32_t waiting[MOST_MARKS]; /* marks, the next one last */
  int marks;
} letters;

static uint32_t decode(const char **at) {
  size_t length = utf8_length(*at);
  const unsigned char *c = (const unsigned char *)*at;
  uint32_t letter = length == 1 ? *c : length == 2 ? *c & 0x1f : length == 3 ? *c & 0xf : *c & 0x7;
  for (size_t i = 1; i < length; i++) letter = letter << 6 | (c[i] & 0x3f);
  *at += length ? length : 1;
  return letter;
}

/* Unicode, section 3.12: a syllable is one of 19 consonants, 21 vowels, and 27 endings or none. */
enum { SYLLABLES = 0xac00, LEADS = 0x1100, VOWELS = 0x1161, TAILS = 0x11a7 };
enum { VOWEL_COUNT = 21, TAIL_COUNT = 28, SYLLABLE_COUNT = 19 * VOWEL_COUNT * TAIL_COUNT };

static uint32_t split_hangul(letters *l, uint32_t syllable) {
  uint32_t number = syllable - SYLLABLES, tail = number % TAIL_COUNT;
  if (tail) l->waiting[l->marks++] = TAILS + tail;
  l->waiting[l->marks++] = VOWELS + number / TAIL_COUNT % VOWEL_COUNT;
  return LEADS + number / (VOWEL_COUNT * TAIL_COUNT);
}

/* 0 at the end. */
static uint32_t next(letters *l) {
  if (l->marks) return without_case(l->waiting[--l->marks]);
  if (!*l->at) return 0;
  uint32_t letter = decode(&l->at);
  if (letter >= SYLLABLES && letter < SYLLABLES + SYLLABLE_COUNT) return split_hangul(l, letter);
  for (const utf8_composed *c; (c = find_composed(letter)) && l->marks < MOST_MARKS;) {
    letter = c->base;
    if (c->mark) l->waiting[l->marks++] = c->mark;
  }
  return without_case(letter);
}

bool utf8_alike(const char *a, const char *b) {
  letters first = {.at = a}, second = {.at = b};
  for (;;) {
    uint32_t x = next(&first), y = next(&second);
    if (x != y) return false;
    if (x == 0) return true;
  }
}
