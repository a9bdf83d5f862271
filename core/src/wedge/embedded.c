/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wedge/embedded.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/array.h"

typedef ARRAY(char) text_buffer;

static bool put(text_buffer *out, const char *text, size_t size) {
  if (!ARRAY_RESERVE(*out, out->count + size + 1)) return false;
  memcpy(out->data + out->count, text, size);
  out->count += size;
  out->data[out->count] = 0;
  return true;
}

static const char *find(const char *name) {
  for (size_t i = 0; i < EMBEDDED_FILE_COUNT; i++)
    if (strcmp(EMBEDDED_FILES[i].name, name) == 0) return EMBEDDED_FILES[i].text;
  return NULL;
}

static const embedded_word *word_at(const char *at, const embedded_word *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strncmp(at, words[i].word, strlen(words[i].word)) == 0) return &words[i];
  return NULL;
}

char *embedded_fill(const char *name, const embedded_word *words, size_t count) {
  const char *text = find(name);
  assert(text);
  text_buffer out = {0};
  bool fine = put(&out, "", 0);
  while (fine && *text) {
    size_t plain = strcspn(text, "@");
    fine = put(&out, text, plain);
    text += plain;
    if (!*text || !fine) break;
    const embedded_word *word = word_at(text, words, count);
    fine = word ? put(&out, word->by, strlen(word->by)) : put(&out, "@", 1);
    text += word ? strlen(word->word) : 1;
  }
  if (fine) return out.data;
  ARRAY_FREE(out);
  return NULL;
}
