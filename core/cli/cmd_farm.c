/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tribo farm: a wedge in the form of a farm's engine; for Slurm, submitted too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wedge.h"

/* The engine of "farm slurm". */
static const tribo_farm_engine *engine_of(const arguments *args) {
  const char *name = strrchr(args->syntax->name, ' ') + 1;
  const tribo_farm_engine *engine;
  for (size_t i = 0; (engine = tribo_farm_engine_at(i)); i++)
    if (strcmp(engine->name, name) == 0) return engine;
  return NULL;
}

/* Runs the script that submits; what it says is for the user. */
static int submit(const tribo_wedge *wedge, const tribo_farm_engine *engine) {
  char path[4096];
  snprintf(path, sizeof path, "%s/farm/%s", tribo_wedge_folder(wedge), engine->file);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    execl(path, path, (char *)NULL);
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status)) {
    cli_say("'%s' could not submit; is sbatch here, and the folder where its machines see it?",
            path);
    return EXIT_OTHER;
  }
  return EXIT_DONE;
}

/* This program, as the farm may find it: where it stands here, unless another is named. */
static const char *own_path(const arguments *args, char *out, size_t size) {
  if (arguments_value(args, "tribo")) return arguments_value(args, "tribo");
  ssize_t length = readlink("/proc/self/exe", out, size - 1);
  if (length <= 0) return "tribo";
  out[length] = 0;
  return out;
}

static int run(const arguments *args) {
  const tribo_farm_engine *engine = engine_of(args);
  char own[4096];
  tribo_farm_options options = {.tribo = own_path(args, own, sizeof own),
                                .blender = arguments_value(args, "blender"),
                                .folder = arguments_value(args, "folder"),
                                .pictures = arguments_has(args, "pictures"),
                                .again = arguments_has(args, "again")};
  if (!arguments_integer(args, "threads", 1, TRIBO_MOST_THREADS, &options.threads) ||
      !arguments_integer(args, "hours", 1, 10000, &options.hours))
    return EXIT_BAD_INPUT;
  tribo_wedge *wedge = wedge_of(args);
  if (!wedge) return EXIT_BAD_INPUT;
  tribo_error err = {0};
  tribo_status status = tribo_farm_write(wedge, engine->name, &options, &err);
  int code = status == TRIBO_OK ? EXIT_DONE : cli_fail(status, &err);
  bool submits = strcmp(engine->name, "slurm") == 0 && !arguments_has(args, "write-only");
  if (code == EXIT_DONE && submits)
    code = submit(wedge, engine);
  else if (code == EXIT_DONE)
    printf("wrote %s/farm/%s; %s\n", tribo_wedge_folder(wedge), engine->file, engine->how);
  tribo_wedge_free(wedge);
  return code;
}

#define FARM_OPTIONS                                                                               \
  {"tribo", "FILE", "the program tribo on the farm's machines; this one if not given"},            \
      {"blender", "FILE", "Blender there, for pictures"},                                          \
      {"folder", "DIR", "the wedge's folder as they see it"},                                      \
      {"threads", "N", "of each bake; 1 if not given"},                                            \
      {"hours", "N", "that a bake may take at once; 24 if not given"},                             \
      {"pictures", NULL, "renders thumbnails in the same tasks"}, {                                \
    "again", NULL, "all scenes, not just those that are not done"                                  \
  }

const command cmd_farm_slurm = {
    .syntax = {.name = "farm slurm",
               .operand = "DIR",
               .about = "Writes a wedge's scripts for Slurm, and submits them.",
               .options = {FARM_OPTIONS, {"write-only", NULL, "does not submit"}}},
    .run = run,
};

const command cmd_farm_openjd = {
    .syntax = {.name = "farm openjd",
               .operand = "DIR",
               .about = "Writes a wedge as an Open Job Description, for Deadline Cloud.",
               .options = {FARM_OPTIONS}},
    .run = run,
};

const command cmd_farm_flamenco = {
    .syntax = {.name = "farm flamenco",
               .operand = "DIR",
               .about = "Writes a wedge as a job of Flamenco, with the job type it needs.",
               .options = {FARM_OPTIONS}},
    .run = run,
};

const command cmd_farm_opencue = {
    .syntax = {.name = "farm opencue",
               .operand = "DIR",
               .about = "Writes a wedge as a job of OpenCue.",
               .options = {FARM_OPTIONS}},
    .run = run,
};

const command cmd_farm_tops = {
    .syntax = {.name = "farm tops",
               .operand = "DIR",
               .about = "Writes a wedge as work items of Houdini's TOPs.",
               .options = {FARM_OPTIONS}},
    .run = run,
};
