/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kill_at N PROGRAM ARGUMENT...: runs a program and kills it just before the Nth of its main
 * thread's system calls that change files. N = 1, 2, 3, ... until it is no longer killed visits
 * every state that a kill can leave on disk, which no amount of luck with timers does.
 *
 * Exit code: 200 when the program was killed, otherwise the program's own. 201: cannot trace here.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILLED = 200, CANNOT_TRACE = 201 };

typedef struct __ptrace_syscall_info call_info;

static bool changes_files(const call_info *call) {
  uint64_t number = call->entry.nr;
  if (number == SYS_openat) return (call->entry.args[2] & (O_CREAT | O_TRUNC)) != 0;
#ifdef SYS_open
  if (number == SYS_open) return (call->entry.args[1] & (O_CREAT | O_TRUNC)) != 0;
#endif
  static const long numbers[] = {
      SYS_write,     SYS_pwrite64, SYS_writev,  SYS_ftruncate, SYS_truncate, SYS_fsync,
      SYS_fdatasync, SYS_unlinkat, SYS_mkdirat, SYS_renameat2, SYS_flock,
#ifdef SYS_renameat
      SYS_renameat,
#endif
#ifdef SYS_rename
      SYS_rename,    SYS_unlink,   SYS_mkdir,   SYS_rmdir,
#endif
  };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (number == (uint64_t)numbers[i]) return true;
  return false;
}

static int run_until(pid_t child, long count) {
  int status, passed_on = 0;
  for (;;) {
    if (ptrace(PTRACE_SYSCALL, child, NULL, (void *)(intptr_t)passed_on) != 0) return CANNOT_TRACE;
    if (waitpid(child, &status, 0) < 0) return CANNOT_TRACE;
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
    passed_on = 0;
    if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
      if (WSTOPSIG(status) != SIGTRAP) passed_on = WSTOPSIG(status);
      continue;
    }
    call_info call;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, child, (void *)sizeof call, &call) <= 0)
      return CANNOT_TRACE;
    if (call.op != PTRACE_SYSCALL_INFO_ENTRY || !changes_files(&call) || --count > 0) continue;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return KILLED;
  }
}

int main(int words, char **word) {
  if (words < 3) {
    fprintf(stderr, "usage: kill_at N PROGRAM ARGUMENT...\n");
    return 2;
  }
  pid_t child = fork();
  if (child < 0) return CANNOT_TRACE;
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(CANNOT_TRACE);
    raise(SIGSTOP);
    execv(word[2], word + 2);
    _exit(CANNOT_TRACE);
  }
  int status;
  if (waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status)) return CANNOT_TRACE;
  if (ptrace(PTRACE_SETOPTIONS, child, NULL,
             (void *)(intptr_t)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)) != 0)
    return CANNOT_TRACE;
  return run_until(child, atol(word[1]));
}
