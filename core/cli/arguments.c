/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arguments.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* ---- what was meant ---- */

enum { LONGEST_WORD = 40 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Levenshtein's distance between the openings of two words. */
static size_t distance(const char *a, const char *b) {
  size_t n = least(strlen(a), LONGEST_WORD), m = least(strlen(b), LONGEST_WORD);
  size_t row[LONGEST_WORD + 1];
  for (size_t j = 0; j <= m; j++) row[j] = j;
  for (size_t i = 0; i < n; i++) {
    size_t corner = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < m; j++) {
      size_t replaced = corner + (a[i] == b[j] ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = least(replaced, 1 + least(row[j], row[j + 1]));
    }
  }
  return row[m];
}

const char *arguments_suggest(const char *word, const char *const *words, size_t count) {
  const char *nearest = NULL;
  size_t limit = least(3, strlen(word) / 2) + 1;
  for (size_t i = 0; i < count; i++) {
    size_t d = distance(word, words[i]);
    if (d < limit) {
      limit = d;
      nearest = words[i];
    }
  }
  return nearest;
}

/* ---- parsing ---- */

static size_t option_count(const syntax *s) {
  size_t count = 0;
  while (count < MOST_OPTIONS && s->options[count].name) count++;
  return count;
}

static const option *find_option(const syntax *s, const char *name, size_t length) {
  for (size_t i = 0; i < option_count(s); i++)
    if (strlen(s->options[i].name) == length && strncmp(s->options[i].name, name, length) == 0)
      return &s->options[i];
  return NULL;
}

static bool unknown_option(const syntax *s, const char *word, size_t length) {
  char name[LONGEST_WORD + 1];
  snprintf(name, sizeof name, "%.*s", (int)least(length, LONGEST_WORD), word);
  const char *names[MOST_OPTIONS];
  size_t count = option_count(s);
  for (size_t i = 0; i < count; i++) names[i] = s->options[i].name;
  const char *meant = arguments_suggest(name, names, count);
  if (meant)
    cli_say("there is no option '--%s'; did you mean '--%s'?", name, meant);
  else
    cli_say("there is no option '--%s'; 'tribo help %s' lists them", name, s->name);
  return false;
}

/* One option and, where it takes one, its value; moves *at past them. */
static bool parse_option(const syntax *s, char **words, int count, int *at, arguments *out) {
  const char *word = words[*at] + 2;
  size_t length = strcspn(word, "=");
  bool joined = word[length] == '=';
  const option *found = find_option(s, word, length);
  if (!found) return unknown_option(s, word, length);

  const char *value = joined ? word + length + 1 : NULL;
  if (joined && !found->value) {
    cli_say("'--%s' takes no value", found->name);
    return false;
  }
  if (found->value && !joined) {
    if (*at + 1 >= count) {
      cli_say("'--%s' needs a value: --%s %s", found->name, found->name, found->value);
      return false;
    }
    value = words[++*at];
  }
  ++*at;
  out->items[out->count++] = (argument){found, value};
  return true;
}

static bool check_operands(const syntax *s, const arguments *args) {
  size_t operands = 0;
  const char *last = NULL;
  for (size_t i = 0; i < args->count; i++)
    if (!args->items[i].option) {
      operands++;
      last = args->items[i].value;
    }
  if (operands == (s->operand ? 1 : 0)) return true;
  if (operands == 0)
    cli_say("'tribo %s' needs %s; see 'tribo help %s'", s->name, s->operand, s->name);
  else
    cli_say("'%s' is one word too many; see 'tribo help %s'", last, s->name);
  return false;
}

bool arguments_parse(const syntax *s, char **words, int count, arguments *out) {
  *out = (arguments){.syntax = s};
  out->items = calloc((size_t)count + 1, sizeof *out->items);
  if (!out->items) {
    cli_say("out of memory");
    return false;
  }
  bool fine = true, options_over = false;
  for (int at = 0; at < count && fine;) {
    if (!options_over && strcmp(words[at], "--") == 0) {
      options_over = true;
      at++;
    } else if (!options_over && strncmp(words[at], "--", 2) == 0) {
      fine = parse_option(s, words, count, &at, out);
    } else if (!options_over && words[at][0] == '-' && words[at][1]) {
      cli_say("there is no option '%s'; options are words behind two dashes", words[at]);
      fine = false;
    } else {
      out->items[out->count++] = (argument){NULL, words[at++]};
    }
  }
  if (fine) fine = check_operands(s, out);
  if (!fine) arguments_free(out);
  return fine;
}

void arguments_free(arguments *args) {
  free(args->items);
  *args = (arguments){0};
}

/* ---- asking ---- */

const char *arguments_operand(const arguments *args) {
  for (size_t i = 0; i < args->count; i++)
    if (!args->items[i].option) return args->items[i].value;
  return NULL;
}

static const argument *find(const arguments *args, const char *name) {
  for (size_t i = args->count; i-- > 0;)
    if (args->items[i].option && strcmp(args->items[i].option->name, name) == 0)
      return &args->items[i];
  return NULL;
}

bool arguments_has(const arguments *args, const char *name) { return find(args, name) != NULL; }

const char *arguments_value(const arguments *args, const char *name) {
  const argument *found = find(args, name);
  return found ? found->value : NULL;
}

static bool parse_integer(const char *text, size_t length, int low, int high, int *out) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (length == 0 || end != text + length || errno || value < low || value > high) return false;
  *out = (int)value;
  return true;
}

bool arguments_integer(const arguments *args, const char *name, int low, int high, int *value) {
  const char *text = arguments_value(args, name);
  if (!text || parse_integer(text, strlen(text), low, high, value)) return true;
  cli_say("'--%s %s': give a whole number from %d to %d", name, text, low, high);
  return false;
}

bool arguments_frames(const arguments *args, int *first, int *last) {
  const char *text = arguments_value(args, "frames");
  if (!text) return true;
  const char *colon = strchr(text, ':');
  size_t before = colon ? (size_t)(colon - text) : 0;
  size_t after = colon ? strlen(colon + 1) : 0;
  bool fine = before + after > 0;
  if (fine && before) fine = parse_integer(text, before, INT_MIN, INT_MAX, first);
  if (fine && after) fine = parse_integer(colon + 1, after, INT_MIN, INT_MAX, last);
  if (!fine) cli_say("'--frames %s': give the first and the last frame as A:B, :B or A:", text);
  return fine;
}

int arguments_choice(const arguments *args, const char *name, const char *const *words,
                     size_t count, int otherwise) {
  const char *value = arguments_value(args, name);
  if (!value) return otherwise;
  for (size_t i = 0; i < count; i++)
    if (strcmp(value, words[i]) == 0) return (int)i;
  const char *meant = arguments_suggest(value, words, count);
  if (meant)
    cli_say("'--%s %s' is not known; did you mean '%s'?", name, value, meant);
  else
    cli_say("'--%s %s' is not known; 'tribo help %s' lists what is", name, value,
            args->syntax->name);
  return -1;
}

void arguments_print_help(const syntax *s) {
  size_t count = option_count(s);
  printf("tribo %s%s%s%s\n\n%s\n", s->name, s->operand ? " " : "", s->operand ? s->operand : "",
         count ? " [options]" : "", s->about);
  if (count) printf("\n");
  for (size_t i = 0; i < count; i++) {
    const option *o = &s->options[i];
    char usage[64];
    snprintf(usage, sizeof usage, "--%s%s%s", o->name, o->value ? " " : "",
             o->value ? o->value : "");
    printf("  %-26s %s\n", usage, o->help);
  }
}
