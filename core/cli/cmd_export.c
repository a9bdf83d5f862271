/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tribo export: a bake's frames in the formats of other programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char *const FORMATS[] = {"mdd", "geo", "obj", "pc2"}; /* as tribo_export_format */
enum { FORMAT_COUNT = sizeof FORMATS / sizeof *FORMATS };

/* The object's number; -1 after saying that there is none of that name. */
static long find_object(const tribo_cache *cache, const char *name) {
  size_t count = tribo_cache_about(cache)->object_count;
  const char **names = calloc(count + 1, sizeof *names);
  long found = -1;
  for (size_t i = 0; names && i < count; i++) {
    tribo_cache_object object;
    if (tribo_cache_object_at(cache, i, &object, NULL) != TRIBO_OK) break;
    names[i] = object.name;
    if (strcmp(object.name, name) == 0) found = (long)i;
  }
  if (found < 0) {
    const char *meant = names ? arguments_suggest(name, names, count) : NULL;
    if (meant)
      cli_say("the bake has no object '%s'; did you mean '%s'?", name, meant);
    else
      cli_say("the bake has no object '%s'; 'tribo info' lists them", name);
  }
  free(names);
  return found;
}

static int export_objects(const arguments *args, tribo_cache *cache, tribo_export_format format) {
  const tribo_cache_info *info = tribo_cache_about(cache);
  int first = info->start, last = info->start + info->frames - 1;
  if (!arguments_frames(args, &first, &last)) return EXIT_BAD_INPUT;

  size_t begin = 0, end = info->object_count;
  const char *only = arguments_value(args, "object");
  if (only) {
    long found = find_object(cache, only);
    if (found < 0) return EXIT_BAD_INPUT;
    begin = (size_t)found;
    end = begin + 1;
  }
  const char *folder = arguments_value(args, "out");
  if (!folder) folder = arguments_operand(args);
  for (size_t i = begin; i < end; i++) {
    tribo_error err = {0};
    tribo_status status = tribo_cache_export(cache, i, format, first, last, folder, &err);
    if (status != TRIBO_OK) return cli_fail(status, &err);
  }
  printf("exported frames %d to %d of %zu object%s into %s\n", first, last, end - begin,
         end - begin == 1 ? "" : "s", folder);
  return EXIT_DONE;
}

static int run(const arguments *args) {
  if (!arguments_has(args, "to")) {
    cli_say("'tribo export' needs a format: --to mdd, geo, obj or pc2");
    return EXIT_BAD_INPUT;
  }
  int format = arguments_choice(args, "to", FORMATS, FORMAT_COUNT, -1);
  if (format < 0) return EXIT_BAD_INPUT;
  tribo_cache *cache;
  tribo_error err = {0};
  tribo_status status = tribo_cache_open(arguments_operand(args), &cache, &err);
  if (status != TRIBO_OK) return cli_fail(status, &err);
  int code = export_objects(args, cache, (tribo_export_format)format);
  tribo_cache_free(cache);
  return code;
}

const command cmd_export = {
    .syntax = {.name = "export",
               .operand = "DIR",
               .about =
                   "Writes a bake's frames in the formats of other programs.\n\n"
                   "As OBJECT.mdd or .pc2, or as OBJECT.0001.obj or .geo and so on. Works on an\n"
                   "interrupted bake too.",
               .options = {{"to", "FORMAT", "mdd, geo, obj or pc2; required"},
                           {"out", "DIR", "the folder to write into; the bake's own without it"},
                           {"object", "NAME", "only this object"},
                           {"frames", "A:B", "only these frames; either may be left out"}}},
    .run = run,
};
