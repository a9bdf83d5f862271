/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stop.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "cli.h"

#define STARTER "TRIBO_STARTER"

static volatile sig_atomic_t wanted, from_outside, leave_at_second;
static volatile pid_t starter;

static void on_signal(int number, siginfo_t *from, void *context) {
  (void)number;
  (void)context;
  wanted = 1;
  if (starter && from->si_pid == starter) return;
  if (from_outside < 2) from_outside = from_outside + 1;
  if (from_outside > 1 && leave_at_second) _exit(EXIT_CANCELLED);
}

void stop_catch(bool leave) {
  const char *by = getenv(STARTER);
  long number = by ? strtol(by, NULL, 10) : 0;
  starter = number > 1 && number == (long)getppid() ? (pid_t)number : 0;
  leave_at_second = leave;
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    struct sigaction before;
    /* Under nohup a hang-up is to be ignored. */
    if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(numbers[i], &action, NULL);
  }
}

bool stop_wanted(void) { return wanted; }
bool stop_wanted_twice(void) { return from_outside > 1; }

void stop_wish(void) {
  wanted = 1;
  if (from_outside < 1) from_outside = 1;
}

static void become(char *const *words, int errors, bool quiet) {
  if (errors >= 0) dup2(errors, STDERR_FILENO);
  if (quiet) {
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
  }
  execv("/proc/self/exe", words);
  execvp(words[0], words);
  _exit(EXIT_OTHER);
}

pid_t stop_start(char *const *words, int errors, bool quiet) {
  char own[32];
  pid_t parent = getpid();
  snprintf(own, sizeof own, "%ld", (long)parent);
  fflush(NULL);
  pid_t child = fork();
  if (child != 0) return child;
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_OTHER); /* it ended in between */
#endif
  setenv(STARTER, own, 1);
  become(words, errors, quiet);
  return -1;
}
