/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* dladdr */
#include "ipopt/ipopt_run.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "linsys/blas.h"

bool ipopt_available(void) { return true; }

static const char ADAPTER[] = "libtribo_pardiso.so";

/* Debian's MUMPS keeps its work in variables of the process, and the PARDISO that Ipopt has loaded
 * is one for the process: two runs at once would write over each other. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* The adapter lies beside the library or program that this function is part of. */
static void adapter_path(const ipopt_options *options, char *path, size_t size) {
  Dl_info here;
  const char *slash = NULL;
  if (dladdr((const void *)ADAPTER, &here) && here.dli_fname) slash = strrchr(here.dli_fname, '/');
  if (options->adapter)
    snprintf(path, size, "%s", options->adapter);
  else
    snprintf(path, size, "%.*s%s", slash ? (int)(slash + 1 - here.dli_fname) : 0,
             slash ? here.dli_fname : "", ADAPTER);
}

/* Ipopt 3.11 opens "libpardiso.so" before every run that wants it, wherever the system finds one.
 * The adapter bears that name within: once it is open, from any place, the system takes it for the
 * library asked for. It stays open for good. */
static tribo_status load_pardiso(const ipopt_options *options, int threads, tribo_error *err) {
  char path[4096];
  adapter_path(options, path, sizeof path);
  void *adapter = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!adapter)
    return status_fail(err, TRIBO_UNAVAILABLE,
                       "Ipopt needs an adapter to use PARDISO, and it could not be opened: %s; "
                       "install Tribo as a whole, or choose MUMPS",
                       dlerror());
  const char *(*prepare)(int) = NULL;
  void *symbol = dlsym(adapter, "tribo_pardiso_prepare");
  memcpy(&prepare, &symbol, sizeof prepare);
  const char *fault = prepare ? prepare(threads) : "the adapter is not Tribo's";
  dlclose(adapter);
  if (!fault) return TRIBO_OK;
  return status_fail(err, TRIBO_UNAVAILABLE,
                     "Ipopt cannot use PARDISO: %s; run scripts/setup --with-mkl, or choose MUMPS",
                     fault);
}

tribo_status ipopt_find_linear(const ipopt_options *options, tribo_error *err) {
  if (options->linear != IPOPT_PARDISO) return TRIBO_OK;
  pthread_mutex_lock(&one_at_a_time);
  tribo_status status = load_pardiso(options, 1, err);
  pthread_mutex_unlock(&one_at_a_time);
  return status;
}

static Bool count_iterations(Index mode, Index iteration, Number value, Number primal, Number dual,
                             Number barrier, Number step, Number regularization, Number dual_length,
                             Number length, Index trials, UserDataPtr user) {
  (void)mode, (void)value, (void)primal, (void)dual, (void)barrier, (void)step;
  (void)regularization, (void)dual_length, (void)length, (void)trials;
  ((ipopt_watch *)user)->iterations = iteration;
  return TRUE;
}

static bool set_options(IpoptProblem ipopt, const ipopt_problem *p, const ipopt_settings *s) {
  bool pardiso = s->options->linear == IPOPT_PARDISO;
  double tolerance = s->tolerance > s->complementarity ? s->tolerance : s->complementarity;
  return
      /* Silence: no banner, no file of options that happens to lie about. */
      AddIpoptIntOption(ipopt, "print_level", 0) && AddIpoptStrOption(ipopt, "sb", "yes") &&
      AddIpoptStrOption(ipopt, "option_file_name", "") &&
      AddIpoptStrOption(ipopt, "linear_solver", pardiso ? "pardiso" : "mumps") &&
      /* The caller has scaled already. */
      AddIpoptStrOption(ipopt, "nlp_scaling_method", "none") &&
      AddIpoptStrOption(ipopt, "mu_strategy", "adaptive") &&
      AddIpoptNumOption(ipopt, "tol", tolerance) &&
      AddIpoptNumOption(ipopt, "dual_inf_tol", s->tolerance) &&
      AddIpoptNumOption(ipopt, "compl_inf_tol", s->complementarity) &&
      AddIpoptNumOption(ipopt, "constr_viol_tol", s->feasibility) &&
      AddIpoptNumOption(ipopt, "bound_relax_factor", s->relax) &&
      AddIpoptIntOption(ipopt, "acceptable_iter", 0) &&
      AddIpoptIntOption(ipopt, "max_iter", s->iterations) &&
      AddIpoptStrOption(ipopt, "jac_c_constant", "yes") &&
      AddIpoptStrOption(ipopt, "jac_d_constant", "yes") &&
      AddIpoptStrOption(ipopt, "hessian_constant", p->quadratic ? "yes" : "no");
}

static ipopt_outcome outcome_of(enum ApplicationReturnStatus status) {
  switch (status) {
    case Solve_Succeeded:
    case Solved_To_Acceptable_Level:
    case Feasible_Point_Found: return IPOPT_SOLVED;
    case Maximum_Iterations_Exceeded: return IPOPT_RAN_OUT;
    case Search_Direction_Becomes_Too_Small:
    case Infeasible_Problem_Detected:
    case Diverging_Iterates:
    case Restoration_Failed:
    case Error_In_Step_Computation:
    case User_Requested_Stop: return IPOPT_STUCK;
    default: return IPOPT_BROKE;
  }
}

static tribo_status run_alone(const ipopt_problem *p, const ipopt_settings *settings, double *z,
                              double *multiplier, ipopt_outcome *outcome, tribo_error *err) {
  if (settings->options->linear == IPOPT_PARDISO)
    TRY(load_pardiso(settings->options, settings->threads, err));
  IpoptProblem ipopt = CreateIpoptProblem(
      p->variables, p->low, p->high, p->constraints, p->floor, p->ceiling, p->jacobian_entries,
      p->hessian_entries, 0, p->value, p->constraint, p->gradient, p->jacobian, p->hessian);
  if (!ipopt) return status_no_memory(err, "Ipopt");
  tribo_status status = TRIBO_OK;
  if (set_options(ipopt, p, settings) && SetIntermediateCallback(ipopt, count_iterations)) {
    enum ApplicationReturnStatus came_to =
        IpoptSolve(ipopt, z, NULL, NULL, multiplier, NULL, NULL, p->user);
    *outcome = outcome_of(came_to);
    if (came_to == Insufficient_Memory) status = status_no_memory(err, "Ipopt");
  } else {
    status =
        status_fail(err, TRIBO_UNAVAILABLE,
                    "this version of Ipopt does not know an option that Tribo sets; 3.11 does");
  }
  FreeIpoptProblem(ipopt);
  return status;
}

tribo_status ipopt_run(const ipopt_problem *p, const ipopt_settings *settings, double *z,
                       double *multiplier, ipopt_outcome *outcome, tribo_error *err) {
  *outcome = IPOPT_BROKE;
  pthread_mutex_lock(&one_at_a_time);
  blas_hold_threads();
  tribo_status status = run_alone(p, settings, z, multiplier, outcome, err);
  blas_release_threads();
  pthread_mutex_unlock(&one_at_a_time);
  return status;
}
