/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program: finds the command and runs it.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static const command *const COMMANDS[] = {
    &cmd_bake,          &cmd_check,           &cmd_info,       &cmd_export,     &cmd_contact_info,
    &cmd_contact_solve, &cmd_contact_solvers, &cmd_reference,  &cmd_wedge,      &cmd_wedge_run,
    &cmd_wedge_status,  &cmd_wedge_sheet,     &cmd_wedge_bake, &cmd_farm_slurm, &cmd_farm_openjd,
    &cmd_farm_flamenco, &cmd_farm_opencue,    &cmd_farm_tops};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof *COMMANDS };

/* ---- shared by the commands ---- */

void cli_say(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("tribo: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
}

int cli_exit_code(tribo_status status) {
  switch (status) {
    case TRIBO_OK: return EXIT_DONE;
    case TRIBO_BAD_INPUT: return EXIT_BAD_INPUT;
    case TRIBO_UNAVAILABLE: return EXIT_BAD_INPUT;
    case TRIBO_NO_MEMORY: return EXIT_OTHER;
    case TRIBO_IO: return EXIT_DISK;
    case TRIBO_NOT_CONVERGED: return EXIT_NOT_CONVERGED;
    case TRIBO_CANCELLED: return EXIT_CANCELLED;
  }
  return EXIT_OTHER;
}

void cli_say_error(const tribo_error *err) {
  if (err->code && err->status != TRIBO_CANCELLED)
    cli_say("%s (error %d)", err->message, err->code);
  else
    cli_say("%s", err->message);
}

int cli_fail(tribo_status status, const tribo_error *err) {
  cli_say_error(err);
  return cli_exit_code(status);
}

/* "key=value", as --set takes it. */
static tribo_status apply_setting(tribo_scene *scene, const char *setting, tribo_error *err) {
  const char *equals = strchr(setting, '=');
  char key[64];
  if (!equals || equals == setting || (size_t)(equals - setting) >= sizeof key) {
    snprintf(err->message, sizeof err->message, "'--set %.80s': give it as key=value", setting);
    return TRIBO_BAD_INPUT;
  }
  snprintf(key, sizeof key, "%.*s", (int)(equals - setting), setting);
  return tribo_scene_set(scene, key, equals + 1, err);
}

static tribo_status apply_settings(const arguments *args, tribo_scene *scene, tribo_error *err) {
  for (size_t i = 0; i < args->count; i++) {
    const argument *a = &args->items[i];
    tribo_status status = TRIBO_OK;
    if (!a->option) continue;
    if (strcmp(a->option->name, "quality") == 0)
      status = tribo_scene_set(scene, "quality", a->value, err);
    else if (strcmp(a->option->name, "method") == 0)
      status = tribo_scene_set(scene, "method", a->value, err);
    else if (strcmp(a->option->name, "backend") == 0)
      status = tribo_scene_set(scene, "solver.backend", a->value, err);
    else if (strcmp(a->option->name, "linear") == 0)
      status = tribo_scene_set(scene, "solver.linear", a->value, err);
    else if (strcmp(a->option->name, "set") == 0)
      status = apply_setting(scene, a->value, err);
    if (status != TRIBO_OK) return status;
  }
  return TRIBO_OK;
}

tribo_status cli_read_scene(const arguments *args, tribo_scene **out, tribo_error *err) {
  tribo_status status = tribo_scene_read(arguments_operand(args), out, err);
  if (status == TRIBO_OK) status = apply_settings(args, *out, err);
  if (status != TRIBO_OK) {
    tribo_scene_free(*out);
    *out = NULL;
    return status;
  }
  for (size_t i = 0; i < tribo_scene_object_count(*out); i++) {
    const char *note = tribo_scene_note(*out, i);
    if (note) cli_say("note: %s", note);
  }
  return status;
}

/* Bytes of the UTF-8 character that text begins with; 0 where it is none. */
static int character_length(const unsigned char *text) {
  int length = text[0] < 0x80   ? 1
               : text[0] < 0xc2 ? 0
               : text[0] < 0xe0 ? 2
               : text[0] < 0xf0 ? 3
               : text[0] < 0xf5 ? 4
                                : 0;
  for (int i = 1; i < length; i++)
    if ((text[i] & 0xc0) != 0x80) return 0;
  return length;
}

/* A message may hold a path in any encoding, or be cut off within a character. */
void cli_print_json_string(const char *text) {
  putchar('"');
  const unsigned char *c = (const unsigned char *)text;
  while (*c) {
    int length = character_length(c);
    if (length == 0)
      printf("\\ufffd");
    else if (*c == '"' || *c == '\\')
      printf("\\%c", *c);
    else if (*c < 0x20)
      printf("\\u%04x", *c);
    else
      printf("%.*s", length, (const char *)c);
    c += length ? length : 1;
  }
  putchar('"');
}

void cli_print_json_number(double value) {
  if (isfinite(value))
    printf("%.17g", value);
  else
    printf("null");
}

const char *cli_reason(unsigned reasons, int i) {
  static const char *const names[] = {"energy", "crossings", "deep", "tangled", "steps"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (reasons >> k & 1 && i-- == 0) return names[k];
  return NULL;
}

/* ---- reference ---- */

static int run_reference(const arguments *args) {
  (void)args;
  char *markdown;
  tribo_error err = {0};
  tribo_status status = tribo_scene_reference(&markdown, &err);
  if (status != TRIBO_OK) return cli_fail(status, &err);
  fputs(markdown, stdout);
  free(markdown);
  return EXIT_DONE;
}

const command cmd_reference = {
    .syntax = {.name = "reference", .about = "Prints every key of the scene file, as Markdown."},
    .run = run_reference,
};

/* ---- the program ---- */

static const command *find_command(const char *name) {
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (strcmp(COMMANDS[i]->syntax.name, name) == 0) return COMMANDS[i];
  return NULL;
}

/* Some commands have names of two words: then *words becomes 2. */
static const command *find_command_of(const char *first, const char *second, int *words) {
  char both[64];
  *words = 2;
  snprintf(both, sizeof both, "%.30s %.30s", first, second ? second : "");
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (strcmp(COMMANDS[i]->syntax.name, both) == 0) return COMMANDS[i];
  *words = 1;
  return find_command(first);
}

static int unknown_command(const char *name) {
  const char *names[COMMAND_COUNT + 1];
  for (size_t i = 0; i < COMMAND_COUNT; i++) names[i] = COMMANDS[i]->syntax.name;
  names[COMMAND_COUNT] = "help";
  const char *meant = arguments_suggest(name, names, COMMAND_COUNT + 1);
  if (strcmp(name, "contact-problem") == 0)
    cli_say("'tribo contact-problem' needs one of: info FILE, solve FILE, solvers");
  else if (strcmp(name, "farm") == 0)
    cli_say("'tribo farm' needs an engine: slurm, openjd, flamenco, opencue or tops");
  else if (meant)
    cli_say("there is no command '%s'; did you mean '%s'?", name, meant);
  else
    cli_say("there is no command '%s'; 'tribo --help' lists them", name);
  return EXIT_BAD_INPUT;
}

static void print_help(void) {
  printf("tribo %s: frictional contact that artists can direct\n\n", tribo_version());
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    const syntax *s = &COMMANDS[i]->syntax;
    char usage[64];
    snprintf(usage, sizeof usage, "tribo %s %s", s->name, s->operand ? s->operand : "");
    printf("  %-34s %.*s\n", usage, (int)strcspn(s->about, "\n"), s->about);
  }
  printf("  %-34s %s\n", "tribo help COMMAND", "Says more about a command.");
  printf("  %-34s %s\n", "tribo --version", "Prints the version.");
  printf(
      "\nExit codes: 0 done, 1 out of memory, 2 bad input, 3 did not converge, 4 disk,\n"
      "6 rough (with --strict), 130 cancelled (the bake can be resumed).\n");
}

static int run_help(const char *name, const char *second) {
  if (!name) {
    print_help();
    return EXIT_DONE;
  }
  int taken;
  const command *found = find_command_of(name, second, &taken);
  if (!found) return unknown_command(name);
  arguments_print_help(&found->syntax);
  return EXIT_DONE;
}

/* OpenMP's threads spin while they wait for each other, which on a machine that is busy with other
 * work (a render, say) makes two threads several times slower than one; asked to, they sleep. The
 * wish must be in the environment before the OpenMP library is loaded, so the program starts itself
 * once more with it. Whoever has set the variable is left in charge, and where starting again does
 * not work, spinning does. */
static void wait_asleep(char **words) {
  if (getenv("OMP_WAIT_POLICY")) return;
  if (setenv("OMP_WAIT_POLICY", "passive", 1) == 0) execv("/proc/self/exe", words);
}

/* A file of the bake opened under the number of a closed stdout would take what is printed. */
static void hold_streams(void) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDONLY) < 0) return;
}

int main(int count, char **words) {
  hold_streams();
  if (count < 2) {
    print_help();
    return EXIT_BAD_INPUT;
  }
  const char *name = words[1];
  if (strcmp(name, "--version") == 0) {
    printf("tribo %s\n", tribo_version());
    return EXIT_DONE;
  }
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return run_help(NULL, NULL);
  if (strcmp(name, "help") == 0)
    return run_help(count > 2 ? words[2] : NULL, count > 3 ? words[3] : NULL);

  int taken;
  const command *found = find_command_of(name, count > 2 ? words[2] : NULL, &taken);
  if (!found) return unknown_command(name);
  for (int i = 2; i < count && strcmp(words[i], "--") != 0; i++)
    if (strcmp(words[i], "--help") == 0) return run_help(name, words[2]);
  arguments args;
  if (!arguments_parse(&found->syntax, words + 1 + taken, count - 1 - taken, &args))
    return EXIT_BAD_INPUT;
  if (found == &cmd_bake || found == &cmd_contact_solve) wait_asleep(words);
  int code = found->run(&args);
  arguments_free(&args);
  /* A full disk behind stdout must not pass for success. What a bake makes is in its folder. */
  errno = 0;
  bool heard = fflush(stdout) == 0, gone = errno == EPIPE || errno == EBADF;
  if (!heard && code == EXIT_DONE && !(gone && found == &cmd_bake)) {
    cli_say("cannot write to the standard output");
    code = EXIT_DISK;
  }
  return code;
}
