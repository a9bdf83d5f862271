/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tribo wedge sheet: the contact sheet, and the pictures in it, which Blender renders.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stop.h"
#include "wedge.h"

enum { PATH_SIZE = 4096, MOST_WORDS = 24, MISSING = 127 };

/* Runs Blender on the wedge's own script with `words` behind the folder's name; its exit code. */
static int run_blender(const tribo_wedge *wedge, const char *blender, const char *const *words) {
  char script[PATH_SIZE];
  snprintf(script, sizeof script, "%s/pictures.py", tribo_wedge_folder(wedge));
  const char *all[MOST_WORDS] = {blender && *blender ? blender : "blender",
                                 "-b",
                                 "--factory-startup",
                                 "--python-exit-code",
                                 "1",
                                 "-P",
                                 script,
                                 "--",
                                 tribo_wedge_folder(wedge)};
  size_t count = 9;
  while (*words && count < MOST_WORDS - 1) all[count++] = *words++;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stdout)) _exit(EXIT_OTHER);
    execvp(all[0], (char *const *)(uintptr_t)all);
    _exit(MISSING);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (child < 0) return EXIT_OTHER;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int told(const char *blender, int code) {
  if (code == 0) return EXIT_DONE;
  if (code == MISSING)
    cli_say("warning: there is no Blender '%s', so there are no pictures; name it by --blender",
            blender ? blender : "blender");
  else
    cli_say("warning: Blender could not make the pictures (exit code %d)", code);
  return EXIT_DONE;
}

int wedge_pictures(const tribo_wedge *wedge, size_t number, const char *blender,
                   const char *frames) {
  char text[32];
  snprintf(text, sizeof text, "%zu", number);
  const char *const words[] = {"--task", text, frames ? "--frames" : NULL, frames, NULL};
  return told(blender, run_blender(wedge, blender, words));
}

static int run(const arguments *args) {
  tribo_wedge *wedge = wedge_of(args);
  if (!wedge) return EXIT_BAD_INPUT;
  tribo_error err = {0};
  const char *blender = arguments_value(args, "blender");
  const char *picture = arguments_value(args, "png"), *movie = arguments_value(args, "mp4");
  tribo_status status = tribo_wedge_sheet(wedge, &err);
  int code = status == TRIBO_OK ? EXIT_DONE : cli_fail(status, &err);
  if (code == EXIT_DONE) printf("wrote %s/sheet.html\n", tribo_wedge_folder(wedge));
  if (code == EXIT_DONE && picture)
    code =
        told(blender, run_blender(wedge, blender, (const char *const[]){"--png", picture, NULL}));
  if (code == EXIT_DONE && movie)
    code = told(blender, run_blender(wedge, blender, (const char *const[]){"--mp4", movie, NULL}));
  tribo_wedge_free(wedge);
  return code;
}

const command cmd_wedge_sheet = {
    .syntax = {.name = "wedge sheet",
               .operand = "DIR",
               .about = "Makes a page of a wedge, DIR/sheet.html: pictures, values and figures of "
                        "every scene.\n\nIt needs no server. Pictures are there where bakes had "
                        "--pictures.",
               .options = {{"png", "FILE", "also one picture of all, rendered by Blender"},
                           {"mp4", "FILE", "also a film of all"},
                           {"blender", "FILE",
                            "the program Blender, where it is not on the path"}}},
    .run = run,
};
