/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache/owner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HOST = 65, START_FIELD = 22 };

static void host_name(char out[HOST]) {
  if (gethostname(out, HOST) != 0) snprintf(out, HOST, "?");
  out[HOST - 1] = 0;
  for (char *c = out; *c; c++)
    if (*c == ' ' || *c == '\n') *c = '_';
}

/* When a process started, in ticks since the machine did: tells it from a later one of the same
 * number. 0 where nobody knows. */
static unsigned long long start_of(long process) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%ld/stat", process);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  size_t size = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[size] = 0;
  const char *at = strrchr(text, ')'); /* the second field is a name, which may hold anything */
  for (int field = 2; at && field < START_FIELD; field++) at = strchr(at + 1, ' ');
  unsigned long long ticks = 0;
  return at && sscanf(at, " %llu", &ticks) == 1 ? ticks : 0;
}

owner owner_self(void) {
  owner self;
  char host[HOST];
  host_name(host);
  snprintf(self.line, sizeof self.line, "%s %ld %llu", host, (long)getpid(),
           start_of((long)getpid()));
  return self;
}

owner owner_read(const char *path) {
  owner found = {""};
  int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return found;
  ssize_t size = read(descriptor, found.line, sizeof found.line - 1);
  close(descriptor);
  size_t length = size > 0 ? (size_t)size : 0;
  while (length && (found.line[length - 1] == ' ' || found.line[length - 1] == '\n')) length--;
  found.line[length] = 0;
  return found;
}

/* Of fixed length: what stood there before is written over by one call. */
bool owner_write(int descriptor, const owner *who, bool flush) {
  char line[OWNER_SIZE + 1];
  snprintf(line, sizeof line, "%-*s\n", OWNER_SIZE - 1, who->line);
  return pwrite(descriptor, line, OWNER_SIZE, 0) == OWNER_SIZE &&
         (!flush || fsync(descriptor) == 0);
}

bool owner_is(const owner *a, const owner *b) { return strcmp(a->line, b->line) == 0; }

bool owner_is_of_here(const owner *who) {
  char host[HOST], named[OWNER_SIZE];
  host_name(host);
  return strcmp(host, owner_host(who, named)) == 0;
}

bool owner_works_here(const owner *who) {
  long process;
  unsigned long long start;
  const char *behind = strchr(who->line, ' ');
  if (!owner_is_of_here(who) || !behind || sscanf(behind, " %ld %llu", &process, &start) != 2)
    return false;
  if (process <= 0 || (kill((pid_t)process, 0) != 0 && errno != EPERM)) return false;
  unsigned long long now = start_of(process);
  return now == 0 || start == 0 || now == start;
}

char *owner_host(const owner *who, char out[OWNER_SIZE]) {
  snprintf(out, OWNER_SIZE, "%.*s", (int)strcspn(who->line, " "), who->line);
  return out;
}
