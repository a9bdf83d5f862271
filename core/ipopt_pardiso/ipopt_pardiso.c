/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ipopt_pardiso: lets Ipopt use the PARDISO of Intel MKL. A small library of its own, because Ipopt
 * asks a library for functions of fixed names, and MKL has functions of these names with other
 * arguments.
 *
 * Ipopt 3.11 was written for the PARDISO of Basel: pardisoinit with 6 arguments, pardiso with 17,
 * and entries of iparm that mean something else in MKL. So it gets none of its own entries through:
 * what it needs is set here, in MKL's terms, and what it reads is copied back. MKL is opened here
 * with its symbols kept to itself, so that its pardisoinit (3 arguments) is not found first.
 * Entries of iparm are named by their number in MKL's manual, less 1.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { GNU_THREADS = 3 };
enum { RELEASE = -1 };

typedef void (*pardiso_fn)(void *handle, const int *maxfct, const int *mnum, const int *mtype,
                           const int *phase, const int *n, const double *a, const int *ia,
                           const int *ja, int *perm, const int *nrhs, int *iparm, const int *msglvl,
                           double *b, double *x, int *error);
typedef int (*set_fn)(int value);

/* One Ipopt runs at a time (ipopt/ipopt_run.c), so what follows belongs to it. */
static void *mkl;
static pardiso_fn mkl_pardiso;
static set_fn mkl_set_threads;
static int thread_count = 1;

#ifdef TRIBO_SANITIZED
enum { OPEN_FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE }; /* sanitizers forbid deep binding */
#else
enum { OPEN_FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND | RTLD_NODELETE };
#endif

/* A function pointer through memory: C does not convert one from void *. */
static int find(const char *name, void *function, size_t size) {
  void *symbol = dlsym(mkl, name);
  memcpy(function, &symbol, size);
  return symbol != NULL;
}

/* Opens MKL and sets the threads that it may use. NULL, or what is wrong. */
EXPORT const char *tribo_pardiso_prepare(int threads);
EXPORT const char *tribo_pardiso_prepare(int threads) {
  static const char *const names[] = {"libmkl_rt.so.2", "libmkl_rt.so.1", "libmkl_rt.so"};
  thread_count = threads;
  if (mkl_pardiso) return NULL;
  dlopen("libgomp.so.1", RTLD_NOW | RTLD_GLOBAL); /* MKL's GNU layer needs it and does not say so */
  for (size_t i = 0; !mkl && i < sizeof names / sizeof *names; i++)
    mkl = dlopen(names[i], OPEN_FLAGS);
  if (!mkl) return "Intel MKL is not on this machine";
  set_fn set_layer;
  pardiso_fn pardiso_found;
  if (!find("pardiso", &pardiso_found, sizeof pardiso_found) ||
      !find("MKL_Set_Num_Threads_Local", &mkl_set_threads, sizeof mkl_set_threads) ||
      !find("MKL_Set_Threading_Layer", &set_layer, sizeof set_layer))
    return "the Intel MKL on this machine is too old";
  set_layer(GNU_THREADS);
  mkl_pardiso = pardiso_found;
  return NULL;
}

/* That this symbol is there tells Ipopt that the calls below take the longer lists. */
EXPORT void pardiso_ipopt_newinterface(void);
EXPORT void pardiso_ipopt_newinterface(void) {}

EXPORT void pardisoinit(void *handle, const int *mtype, const int *solver, int *iparm,
                        double *dparm, int *error);
EXPORT void pardisoinit(void *handle, const int *mtype, const int *solver, int *iparm,
                        double *dparm, int *error) {
  (void)mtype, (void)solver;
  memset(handle, 0, 64 * sizeof(void *));
  memset(iparm, 0, 64 * sizeof *iparm);
  memset(dparm, 0, 64 * sizeof *dparm);
  *error = tribo_pardiso_prepare(thread_count) ? -10 : 0;
}

static void set_parameters(int *iparm) {
  memset(iparm, 0, 64 * sizeof *iparm);
  iparm[0] = 1;  /* the values below, not the defaults */
  iparm[1] = 2;  /* nested dissection */
  iparm[5] = 1;  /* the solution replaces the right-hand side: Ipopt reads it there */
  iparm[7] = 2;  /* steps of refinement: an interior-point matrix is badly conditioned */
  iparm[9] = 12; /* perturb pivots below 1e-12 of the matrix */
  iparm[10] = 1; /* scale, */
  iparm[12] = 1; /* and bring large entries to the diagonal: both advised for saddle points */
  iparm[20] = 1; /* 1x1 and 2x2 pivots */
  iparm[34] = 0; /* indices from 1 */
}

EXPORT void pardiso(void **handle, const int *maxfct, const int *mnum, const int *mtype,
                    const int *phase, const int *n, const double *a, const int *ia, const int *ja,
                    int *perm, const int *nrhs, int *iparm, const int *msglvl, double *b, double *x,
                    int *error, double *dparm);
EXPORT void pardiso(void **handle, const int *maxfct, const int *mnum, const int *mtype,
                    const int *phase, const int *n, const double *a, const int *ia, const int *ja,
                    int *perm, const int *nrhs, int *iparm, const int *msglvl, double *b, double *x,
                    int *error, double *dparm) {
  static const int silent = 0;
  (void)dparm, (void)msglvl;
  if (!mkl_pardiso) {
    *error = -10;
    return;
  }
  int ours[64], one = 1;
  set_parameters(ours);
  int before = mkl_set_threads(thread_count);
  mkl_pardiso(handle, maxfct, mnum, mtype, phase, n, a, ia, ja, perm,
              *phase == RELEASE ? &one : nrhs, ours, &silent, b, x, error);
  mkl_set_threads(before);
  /* Iterations of refinement, perturbed pivots, positive and negative eigenvalues. */
  static const int wanted[] = {6, 13, 21, 22};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) iparm[wanted[i]] = ours[wanted[i]];
}
