/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * arguments: a command's operands and options, checked against its syntax. Options may stand
 * anywhere, as "--name value" or "--name=value"; "--" ends them.
 */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct option {
  const char *name;  /* without the dashes */
  const char *value; /* what stands for it in the help; NULL: a flag */
  const char *help;
} option;

enum { MOST_OPTIONS = 16 };

typedef struct syntax {
  const char *name;    /* "bake" */
  const char *operand; /* "SCENE.json", exactly one; NULL: none */
  const char *about;
  option options[MOST_OPTIONS]; /* up to the first without a name */
} syntax;

typedef struct argument {
  const option *option; /* NULL: an operand */
  const char *value;
} argument;

typedef struct arguments {
  const syntax *syntax;
  argument *items;
  size_t count;
} arguments;

/* words[0..count): what follows the command's name. False after saying what is wrong. */
bool arguments_parse(const syntax *s, char **words, int count, arguments *out);
void arguments_free(arguments *args);

const char *arguments_operand(const arguments *args);
bool arguments_has(const arguments *args, const char *name);

/* The last one given; NULL when there is none. */
const char *arguments_value(const arguments *args, const char *name);

/* A whole number from low to high; `value` stays as it was when the option is not given. */
bool arguments_integer(const arguments *args, const char *name, int low, int high, int *value);

/* "A:B", ":B" or "A:" of --frames; what is left out stays as it was. */
bool arguments_frames(const arguments *args, int *first, int *last);

/* Number of the option's value among the words; -1 after saying so when it is none of them. */
int arguments_choice(const arguments *args, const char *name, const char *const *words,
                     size_t count, int otherwise);

/* The word most like it, when it is near enough to be what was meant; NULL otherwise. */
const char *arguments_suggest(const char *word, const char *const *words, size_t count);

void arguments_print_help(const syntax *s);

#endif
