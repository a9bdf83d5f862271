/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli: what the commands of the program share. The program sees only the public headers.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "arguments.h"
#include "tribo/tribo.h"

enum {
  EXIT_DONE = 0,
  EXIT_OTHER = 1, /* out of memory */
  EXIT_BAD_INPUT = 2,
  EXIT_NOT_CONVERGED = 3,
  EXIT_DISK = 4,
  EXIT_ROUGH = 6, /* baked, but --strict does not take it */
  EXIT_CANCELLED = 130
};

/* One line on stderr, "tribo: MESSAGE". */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The message of `err`, as cli_say prints one, and its code behind: "(error 1207)". */
void cli_say_error(const tribo_error *err);

/* Says what went wrong and returns the exit code for it. */
int cli_fail(tribo_status status, const tribo_error *err);
int cli_exit_code(tribo_status status);

/* The scene file of the first operand, with --method, --backend, --linear and every --set applied.
 */
tribo_status cli_read_scene(const arguments *args, tribo_scene **out, tribo_error *err);

/* The names of the reasons in a set of TRIBO_ROUGH_..., the gravest first: number i, from 0; NULL
 * behind the last. */
const char *cli_reason(unsigned reasons, int i);

/* Text as a JSON string, and a number that JSON can hold, to stdout. */
void cli_print_json_string(const char *text);
void cli_print_json_number(double value);

typedef struct command {
  syntax syntax;
  int (*run)(const arguments *args);
} command;

extern const command cmd_bake, cmd_check, cmd_info, cmd_export, cmd_reference, cmd_contact_info,
    cmd_contact_solve, cmd_contact_solvers, cmd_wedge, cmd_wedge_bake, cmd_wedge_run,
    cmd_wedge_status, cmd_wedge_sheet, cmd_farm_slurm, cmd_farm_openjd, cmd_farm_flamenco,
    cmd_farm_opencue, cmd_farm_tops;

#endif
