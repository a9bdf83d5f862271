/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shield: what static libraries need to live inside a module of somebody else's program. The linker
 * (--wrap) sends their references here.
 *
 * stderr, stdout: libraries that were compiled for programs address them directly, which a module
 * cannot offer; so they get variables of our own with the same streams.
 *
 * getenv: OpenBLAS starts its threads when it is loaded, as many as the environment says, and else
 * one a core. It is called from one thread at a time here and on small matrices, and the bits must
 * not depend on cores: it is told 1. Nothing else in the module asks the environment.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern FILE *__real_stderr, *__real_stdout;
extern FILE *__wrap_stderr, *__wrap_stdout;
char *__real_getenv(const char *name);
char *__wrap_getenv(const char *name);

FILE *__wrap_stderr, *__wrap_stdout;

/* Before the constructors of libraries. */
__attribute__((constructor(101))) static void take_streams(void) {
  __wrap_stderr = __real_stderr;
  __wrap_stdout = __real_stdout;
}

char *__wrap_getenv(const char *name) {
  static char one[] = "1";
  return strcmp(name, "OPENBLAS_NUM_THREADS") == 0 ? one : __real_getenv(name);
}
