/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "farm/engine.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "cache/writer.h"
#include "farm/quote.h"
#include "wedge/embedded.h"
#include "wedge/outcome.h"

/* A file of an engine: the form it is made from, and its place in farm/. */
typedef struct engine_file {
  const char *form, *place;
  bool runs; /* it is a script that is started by its name */
} engine_file;

enum { MOST_FILES = 3 };

typedef struct engine_row {
  tribo_farm_engine about;
  engine_file files[MOST_FILES];
} engine_row;

static const engine_row engines[] = {
    {{"slurm", "Slurm", "slurm_submit.sh", "run it where sbatch is"},
     {{"slurm.sh", "slurm.sh", true},
      {"slurm_sheet.sh", "slurm_sheet.sh", true},
      {"slurm_submit.sh", "slurm_submit.sh", true}}},
    {{"openjd", "Open Job Description", "openjd/template.yaml",
      "'deadline bundle submit' the folder openjd, or 'openjd run' the template"},
     {{"openjd_template.yaml", "openjd/template.yaml", false},
      {"openjd_values.yaml", "openjd/parameter_values.yaml", false}}},
    {{"flamenco", "Flamenco", "flamenco/tribo_wedge.js",
      "put the script into the Manager's folder scripts, restart it, and post flamenco/job.json to "
      "its /api/v3/jobs"},
     {{"tribo_wedge.js", "flamenco/tribo_wedge.js", false},
      {"flamenco_job.json", "flamenco/job.json", false}}},
    {{"opencue", "OpenCue", "opencue.xml", "launch it with cuebot's LaunchSpec, or cuesubmit"},
     {{"opencue.xml", "opencue.xml", false}}},
    {{"tops", "Houdini TOPs", "tops.py",
      "paste it into the Generate callback of a Python Processor TOP"},
     {{"tops.py.in", "tops.py", false}}},
};
enum { ENGINE_COUNT = sizeof engines / sizeof *engines };

const tribo_farm_engine *engine_at(size_t number) {
  return number < ENGINE_COUNT ? &engines[number].about : NULL;
}

/* ---- what goes into the forms ---- */

/* The largest need among the items with room for what an estimate may be off, MB. */
static double most_memory(const tribo_wedge *w) {
  double most = 0;
  for (size_t i = 0; i < w->items.count; i++)
    if (w->items.data[i].memory > most) most = w->items.data[i].memory;
  return most * 1.3 / 1e6 + 128;
}

/* "0,2-7": the items that are to be baked, one for each hash. */
static tribo_status put_tasks(writer *out, const tribo_wedge *w, bool again, int *count,
                              tribo_error *err) {
  tribo_wedge_outcome outcome;
  int first = -1, last = -1;
  char text[64];
  *count = 0;
  for (size_t i = 0; i <= w->items.count; i++) {
    bool wanted = i < w->items.count && w->items.data[i].same_as == i;
    if (wanted && !again) {
      TRY(outcome_of(w, i, &outcome, err));
      wanted = outcome.state != TRIBO_WEDGE_DONE;
    }
    *count += wanted;
    if (wanted && last == (int)i - 1 && first >= 0) {
      last = (int)i;
      continue;
    }
    if (first >= 0 && (wanted || i == w->items.count)) {
      snprintf(text, sizeof text, last > first ? "%d-%d" : "%d", first, last);
      writer_string(out, text);
    }
    if (wanted) first = last = (int)i;
  }
  return TRIBO_OK;
}

/* Writers make lists of JSON; engines want the bare numbers. */
static char *bare(const char *list) {
  char *out = malloc(strlen(list) + 1), *to = out;
  for (; out && *list; list++)
    if (!strchr("[]\" ", *list)) *to++ = *list;
  if (out) *to = 0;
  return out;
}

static tribo_status tasks_of(const tribo_wedge *w, bool again, char **out, int *count,
                             tribo_error *err) {
  writer list = {.pretty = false};
  *out = NULL;
  writer_open(&list, '[');
  tribo_status status = put_tasks(&list, w, again, count, err);
  writer_close(&list, ']');
  if (status == TRIBO_OK && *count == 0)
    status = status_fail(err, TRIBO_BAD_INPUT, "all of '%s' is baked: there is nothing to submit",
                         w->folder);
  if (status == TRIBO_OK && (list.failed || !(*out = bare(list.data))))
    status = status_no_memory(err, "a farm's files");
  writer_free(&list);
  return status;
}

/* The texts that forms are filled with, each in the ways it is quoted. */
enum { WORDS = 24 };
typedef struct filling {
  embedded_word words[WORDS];
  char *texts[WORDS]; /* that are to be freed */
  size_t count;
  bool failed;
} filling;

/* Takes text over. */
static void fill(filling *f, const char *word, char *text) {
  f->words[f->count] = (embedded_word){word, text};
  f->texts[f->count++] = text;
  if (!text) f->failed = true;
}

static void fill_number(filling *f, const char *word, double value) {
  char text[32];
  snprintf(text, sizeof text, "%.0f", value);
  fill(f, word, text_copy(text));
}

static void fill_free(filling *f) {
  for (size_t i = 0; i < f->count; i++) free(f->texts[i]);
}

static const char *or_else(const char *given, const char *otherwise) {
  return given && *given ? given : otherwise;
}

static filling make_filling(const tribo_farm_options *o, const char *folder, const char *tasks) {
  filling f = {.count = 0};
  const char *tribo = or_else(o->tribo, "tribo"), *blender = or_else(o->blender, "blender");
  char *shell_tribo = quote_shell(tribo), *shell_folder = quote_shell(folder);
  fill(&f, "@TRIBO_XML@", shell_tribo ? quote_xml(shell_tribo) : NULL);
  fill(&f, "@FOLDER_XML@", shell_folder ? quote_xml(shell_folder) : NULL);
  fill(&f, "@TRIBO_SH@", shell_tribo);
  fill(&f, "@FOLDER_SH@", shell_folder);
  fill(&f, "@TRIBO_JSON@", quote_json(tribo));
  fill(&f, "@FOLDER_JSON@", quote_json(folder));
  fill(&f, "@BLENDER_JSON@", quote_json(blender));
  char *shell_blender = quote_shell(blender);
  fill(&f, "@BLENDER_XML@", shell_blender ? quote_xml(shell_blender) : NULL);
  fill(&f, "@BLENDER_SH@", shell_blender);
  fill(&f, "@TASKS@", text_copy(tasks));
  fill(&f, "@PICTURES_SH@", text_copy(o->pictures ? " --pictures" : ""));
  fill(&f, "@PICTURES_JSON@", text_copy(o->pictures ? "true" : "false"));
  fill(&f, "@PICTURES_YAML@", text_copy(o->pictures ? ", --pictures" : ""));
  fill_number(&f, "@SECONDS@", 3600.0 * (o->hours > 0 ? o->hours : 24));
  fill_number(&f, "@THREADS@", o->threads > 0 ? o->threads : 1);
  fill_number(&f, "@HOURS@", o->hours > 0 ? o->hours : 24);
  return f;
}

/* ---- files ---- */

static tribo_status write_one(const tribo_wedge *w, const engine_file *file, const filling *f,
                              tribo_error *err) {
  char place[128];
  snprintf(place, sizeof place, "farm/%s", file->place);
  char *text = embedded_fill(file->form, f->words, f->count), *path = file_join(w->folder, place);
  char *folder = path ? file_folder(path) : NULL;
  tribo_status status =
      text && folder ? file_make_folder(folder, err) : status_no_memory(err, "a farm's file");
  if (status == TRIBO_OK) status = file_write(path, text, strlen(text), err);
  if (status == TRIBO_OK && file->runs && chmod(path, 0777) != 0)
    status = status_fail(err, TRIBO_IO, "cannot make '%s' a program", path);
  free(text);
  free(path);
  free(folder);
  return status;
}

static const engine_row *find_engine(const char *name) {
  for (size_t i = 0; i < ENGINE_COUNT; i++)
    if (strcmp(engines[i].about.name, name) == 0) return &engines[i];
  return NULL;
}

static tribo_status unknown_engine(const char *name, tribo_error *err) {
  const char *names[ENGINE_COUNT];
  for (size_t i = 0; i < ENGINE_COUNT; i++) names[i] = engines[i].about.name;
  const char *meant = text_suggest(name, names, ENGINE_COUNT);
  return status_fail(err, TRIBO_BAD_INPUT,
                     "'%.60s' is no engine; %s%s%sknown are slurm, openjd, flamenco, opencue and "
                     "tops",
                     name, meant ? "did you mean '" : "", meant ? meant : "", meant ? "'? " : "");
}

tribo_status engine_write(const tribo_wedge *w, const char *name, const tribo_farm_options *options,
                          tribo_error *err) {
  const engine_row *row = find_engine(name);
  if (!row) return unknown_engine(name, err);
  char *tasks;
  int count;
  TRY(tasks_of(w, options->again, &tasks, &count, err));
  char whole[PATH_MAX];
  const char *folder = options->folder;
  if (!folder || !*folder) folder = realpath(w->folder, whole) ? whole : w->folder;
  filling f = make_filling(options, folder, tasks);
  fill_number(&f, "@MEMORY_MB@", most_memory(w));
  fill_number(&f, "@COUNT@", count);
  tribo_status status = f.failed ? status_no_memory(err, "a farm's files") : TRIBO_OK;
  for (int i = 0; status == TRIBO_OK && i < MOST_FILES && row->files[i].form; i++)
    status = write_one(w, &row->files[i], &f, err);
  fill_free(&f);
  free(tasks);
  return status;
}
