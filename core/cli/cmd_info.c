/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tribo info: what a bake left in its folder.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const char *kind_name(tribo_kind kind) { return tribo_kind_at((size_t)kind)->name; }

/* NULL for a bake of before there were verdicts. */
static const tribo_verdict *verdict_of(tribo_cache *cache) {
  const tribo_verdict *verdict = NULL;
  return tribo_cache_verdict(cache, &verdict, NULL) == TRIBO_OK ? verdict : NULL;
}

static void print_words(const char *folder, tribo_cache *cache) {
  const tribo_cache_info *info = tribo_cache_about(cache);
  const tribo_verdict *verdict = verdict_of(cache);
  printf("%s: %s", folder, info->status);
  if (info->message[0]) printf(": %s", info->message);
  if (info->frames)
    printf("\nframes %d to %d are complete, of %d to %d", info->start,
           info->start + info->frames - 1, info->start, info->end);
  else
    printf("\nno complete frame yet, of %d to %d", info->start, info->end);
  if (verdict) printf("\n%s", verdict->text);
  printf("\n%.6g frames a second, %d substep%s\n", info->fps, info->substeps,
         info->substeps == 1 ? "" : "s");
  printf("Tribo %s, %d thread%s, linear solver %s, %s\n", info->version, info->threads,
         info->threads == 1 ? "" : "s", info->linear_solver,
         info->deterministic ? "the same bits for any number of threads"
                             : "equal to tolerance from run to run");
  for (size_t i = 0; i < info->object_count; i++) {
    tribo_cache_object object;
    if (tribo_cache_object_at(cache, i, &object, NULL) != TRIBO_OK) break;
    printf("  %-16s %s, %zu vertices, %d frame%s\n", object.name, kind_name(object.kind),
           object.vertex_count, object.frames, object.frames == 1 ? "" : "s");
  }
  if (info->contacts) printf("contacts.jsonl has the contacts of every frame\n");
  if (info->states) printf("'tribo bake' with --from-frame goes on from any of these frames\n");
  if (strcmp(info->status, "done") != 0 && strcmp(info->status, "running") != 0)
    printf("'tribo bake' with --resume goes on with it\n");
}

static void print_json_verdict(const tribo_verdict *v) {
  const char *reason;
  printf(",\n  \"verdict\": {\n    \"text\": ");
  cli_print_json_string(v->text);
  printf(",\n    \"frames\": %d,\n    \"rough\": %d,\n    \"ranges\": [", v->frames, v->rough);
  for (size_t i = 0; i < v->range_count; i++)
    printf("%s[%d, %d]", i ? ", " : "", v->ranges[i].first, v->ranges[i].last);
  printf("],\n    \"reasons\": [");
  for (int i = 0; (reason = cli_reason(v->reasons, i)); i++)
    printf("%s\"%s\"", i ? ", " : "", reason);
  printf("],\n    \"worst\": ");
  cli_print_json_number(v->rough ? (double)v->worst : (double)NAN);
  reason = cli_reason(v->worst_reason, 0);
  printf(",\n    \"worst_reason\": \"%s\",\n    \"object\": ", reason ? reason : "");
  cli_print_json_string(v->object);
  printf(",\n    \"other\": ");
  cli_print_json_string(v->other);
  printf(",\n    \"figure\": ");
  cli_print_json_number(v->figure);
  printf(",\n    \"depth\": ");
  cli_print_json_number(v->depth);
  printf(",\n    \"counted\": %d,\n    \"last_crossings\": ", v->counted);
  cli_print_json_number(v->last_crossings < 0 ? (double)NAN : (double)v->last_crossings);
  printf(",\n    \"last_new_crossings\": %d\n  }", v->last_new_crossings);
}

static void print_json_damage(const tribo_damage *damage, size_t count) {
  printf(",\n  \"damage\": [");
  for (size_t i = 0; i < count; i++) {
    printf("%s\n    {\"file\": ", i ? "," : "");
    cli_print_json_string(damage[i].file);
    printf(", \"frame\": %d, \"text\": ", damage[i].frame);
    cli_print_json_string(damage[i].text);
    printf("}");
  }
  printf("%s]", count ? "\n  " : "");
}

static void print_json(tribo_cache *cache, const tribo_damage *damage, size_t damage_count) {
  const tribo_cache_info *info = tribo_cache_about(cache);
  printf("{\n  \"status\": \"%s\",\n  \"message\": ", info->status);
  cli_print_json_string(info->message);
  printf(",\n  \"version\": ");
  cli_print_json_string(info->version);
  printf(",\n  \"scene_hash\": \"%016" PRIx64
         "\",\n  \"start\": %d,\n  \"end\": %d,\n"
         "  \"frames\": %d,\n  \"fps\": ",
         info->scene_hash, info->start, info->end, info->frames);
  cli_print_json_number(info->fps);
  printf(",\n  \"substeps\": %d,\n  \"threads\": %d,\n  \"linear_solver\": ", info->substeps,
         info->threads);
  cli_print_json_string(info->linear_solver);
  const tribo_verdict *verdict = verdict_of(cache);
  if (verdict) print_json_verdict(verdict);
  print_json_damage(damage, damage_count);
  printf(",\n  \"deterministic\": %s,\n  \"contacts\": %s,\n  \"states\": %s,\n  \"objects\": [",
         info->deterministic ? "true" : "false", info->contacts ? "true" : "false",
         info->states ? "true" : "false");
  for (size_t i = 0; i < info->object_count; i++) {
    tribo_cache_object object;
    if (tribo_cache_object_at(cache, i, &object, NULL) != TRIBO_OK) break;
    printf("%s\n    {\"name\": ", i ? "," : "");
    cli_print_json_string(object.name);
    printf(", \"kind\": \"%s\", \"vertices\": %zu, \"frames\": %d}", kind_name(object.kind),
           object.vertex_count, object.frames);
  }
  printf("%s]\n}\n", info->object_count ? "\n  " : "");
}

static int run(const arguments *args) {
  tribo_cache *cache;
  tribo_error err = {0};
  tribo_status status = tribo_cache_open(arguments_operand(args), &cache, &err);
  if (status != TRIBO_OK) return cli_fail(status, &err);
  const tribo_damage *damage;
  size_t damage_count;
  status = tribo_cache_check(cache, &damage, &damage_count, &err);
  int code = status != TRIBO_OK ? cli_fail(status, &err)
             : damage_count     ? EXIT_BAD_INPUT
                                : EXIT_DONE;
  if (status == TRIBO_OK && arguments_has(args, "json"))
    print_json(cache, damage, damage_count);
  else if (status == TRIBO_OK)
    print_words(arguments_operand(args), cache);
  fflush(stdout);
  for (size_t i = 0; i < damage_count; i++) cli_say("%s", damage[i].text);
  tribo_cache_free(cache);
  return code;
}

const command cmd_info = {
    .syntax = {.name = "info",
               .operand = "DIR",
               .about = "Says what a bake left in its folder, also while it runs.\n\n"
                        "Compares all of it with its checksums; files that are damaged are named, "
                        "and\nthe exit code is 2.",
               .options = {{"json", NULL, "as JSON"}}},
    .run = run,
};
