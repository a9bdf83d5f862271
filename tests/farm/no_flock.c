/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * no_flock: loaded before the C library, a file system without locks, and a machine of another
 * name: TRIBO_TEST_FLOCK "refused" refuses them, "local" grants all of them; TRIBO_TEST_HOST is the
 * name.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int flock(int descriptor, int operation) {
  (void)descriptor;
  (void)operation;
  const char *how = getenv("TRIBO_TEST_FLOCK");
  if (how && strcmp(how, "local") == 0) return 0;
  errno = ENOLCK;
  return -1;
}

int gethostname(char *name, size_t length) {
  const char *host = getenv("TRIBO_TEST_HOST");
  snprintf(name, length, "%s", host ? host : "here");
  return 0;
}
