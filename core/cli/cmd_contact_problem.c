/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tribo contact-problem info, tribo contact-problem solve: contact problems in FCLIB files.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"

/* ---- info ---- */

static void print_info(const char *path, const tribo_contact_info *info) {
  printf("%s", path);
  if (info->title[0]) printf(": %s", info->title);
  printf("\n%zu contacts in %zu group%s, the largest of %zu; W has %zu blocks", info->contacts,
         info->groups, info->groups == 1 ? "" : "s", info->largest, info->blocks);
  if (info->asymmetry > 1e-12) printf(" and is symmetric to %.1e only", info->asymmetry);
  printf("\nfriction %g", info->mu_low);
  if (info->mu_high != info->mu_low) printf(" to %g", info->mu_high);
  if (info->elliptic)
    printf(", %zu elliptic cone%s", info->elliptic, info->elliptic == 1 ? "" : "s");
  if (info->frictionless) printf(", %zu without any", info->frictionless);
  printf("; |q| is %.6g\n", info->q_norm);
  if (info->has_impulses)
    printf("it holds impulses, with a residual of %.3e\n", info->residual);
  else
    printf("it holds no impulses; the residual of none is %.3e\n", info->residual);
}

static int run_info(const arguments *args) {
  tribo_contact_problem *problem;
  tribo_contact_info info;
  tribo_error err = {0};
  tribo_status status = tribo_contact_problem_read(arguments_operand(args), &problem, &err);
  if (status == TRIBO_OK) status = tribo_contact_problem_about(problem, &info, &err);
  if (status == TRIBO_OK) print_info(arguments_operand(args), &info);
  tribo_contact_problem_free(problem);
  return status == TRIBO_OK ? EXIT_DONE : cli_fail(status, &err);
}

const command cmd_contact_info = {
    .syntax = {.name = "contact-problem info",
               .operand = "FILE",
               .about = "Says what a contact problem in an FCLIB file is like."},
    .run = run_info,
};

/* ---- solve ---- */

static void print_report(const tribo_contact_options *options, const tribo_contact_report *r) {
  printf("%s: residual %.3e after %d iterations, %.3f ms\n", r->converged ? "solved" : "not solved",
         r->residual, r->iterations, 1e3 * r->seconds);
  printf("%zu group%s, the largest of %zu contacts; %s", r->groups, r->groups == 1 ? "" : "s",
         r->largest, options->solver ? options->solver : "auto");
  printf(", answer from %s\n", r->used);
}

static bool read_options(const arguments *args, tribo_contact_options *out) {
  out->solver = arguments_value(args, "solver");
  out->cold = arguments_has(args, "cold");
  if (!arguments_integer(args, "threads", 0, TRIBO_MOST_THREADS, &out->threads)) return false;
  if (!arguments_integer(args, "iterations", 1, 100000000, &out->iterations)) return false;
  const char *tolerance = arguments_value(args, "tolerance");
  if (!tolerance) return true;
  char *end;
  out->tolerance = strtod(tolerance, &end);
  if (end != tolerance && !*end && isfinite(out->tolerance) && out->tolerance > 0) return true;
  cli_say("'--tolerance %s': give a number above 0, such as 1e-8", tolerance);
  return false;
}

static int run_solve(const arguments *args) {
  tribo_contact_options options = {0};
  if (!read_options(args, &options)) return EXIT_BAD_INPUT;
  tribo_contact_problem *problem;
  tribo_contact_report report;
  tribo_error err = {0};
  tribo_status status = tribo_contact_problem_read(arguments_operand(args), &problem, &err);
  if (status == TRIBO_OK) status = tribo_contact_problem_solve(problem, &options, &report, &err);
  if (status == TRIBO_OK) print_report(&options, &report);
  const char *out = arguments_value(args, "out");
  if (status == TRIBO_OK && out) status = tribo_contact_problem_write(problem, out, &err);
  tribo_contact_problem_free(problem);
  if (status != TRIBO_OK) return cli_fail(status, &err);
  return report.converged ? EXIT_DONE : EXIT_NOT_CONVERGED;
}

const command cmd_contact_solve = {
    .syntax = {.name = "contact-problem solve",
               .operand = "FILE",
               .about = "Solves a contact problem in an FCLIB file.",
               .options = {{"solver", "S", "see 'tribo contact-problem solvers' (auto)"},
                           {"tolerance", "T", "natural map over 1 + |q| (1e-8)"},
                           {"iterations", "N", "at most, a group"},
                           {"threads", "N", "over groups; 0: all"},
                           {"cold", NULL, "start from nothing even where the file has impulses"},
                           {"out", "FILE", "write the problem with its solution"}}},
    .run = run_solve,
};

/* ---- solvers ---- */

static int run_solvers(const arguments *args) {
  (void)args;
  for (size_t i = 0; tribo_contact_solver_name(i); i++)
    printf("%-20s %s\n", tribo_contact_solver_name(i), tribo_contact_solver_about(i));
  return EXIT_DONE;
}

const command cmd_contact_solvers = {
    .syntax = {.name = "contact-problem solvers",
               .about = "Lists the solvers of contact problems."},
    .run = run_solvers,
};
