/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * owner: a line in bake.lock that says which process bakes here: host, number, and when it started.
 *
 * Locks of a file system may be missing, or hold on one machine only (NFS with nolock). So a bake
 * writes its line once it begins, and reads it back before every frame: where another's stands
 * there, it has lost the folder and stops without touching it. The frame at work is what that
 * costs.
 */
#ifndef CACHE_OWNER_H
#define CACHE_OWNER_H

#include <stdbool.h>

enum { OWNER_SIZE = 256 };

typedef struct owner {
  char line[OWNER_SIZE]; /* without the line's end; "" : nobody */
} owner;

owner owner_self(void);

/* What stands in a file; nobody where it cannot be read or is empty. */
owner owner_read(const char *path);

/* flush: for other machines to read. False where it cannot be written. */
bool owner_write(int descriptor, const owner *who, bool flush);

bool owner_is(const owner *a, const owner *b);

/* The process is one of this machine. */
bool owner_is_of_here(const owner *who);

/* And still there. */
bool owner_works_here(const owner *who);

/* The machine of an owner, for messages. Returns out. */
char *owner_host(const owner *who, char out[OWNER_SIZE]);

#endif
