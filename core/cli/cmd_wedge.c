/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tribo wedge: makes a wedge; says how it stands; makes its contact sheet.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wedge.h"

double wedge_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

tribo_wedge *wedge_of(const arguments *args) {
  tribo_wedge *wedge;
  tribo_error err = {0};
  if (tribo_wedge_open(arguments_operand(args), &wedge, &err) == TRIBO_OK) return wedge;
  cli_say("%s", err.message);
  return NULL;
}

/* ---- making one ---- */

/* Names in brackets may hold one too. */
static const char *equals_sign(const char *text) {
  bool inside = false;
  for (; *text; text++) {
    if (*text == '[') inside = true;
    if (*text == ']') inside = false;
    if (*text == '=' && !inside) return text;
  }
  return NULL;
}

static tribo_status vary(const arguments *args, tribo_wedge *wedge, tribo_error *err) {
  for (size_t i = 0; i < args->count; i++) {
    const argument *a = &args->items[i];
    bool together = a->option && strcmp(a->option->name, "with") == 0;
    if (!a->option || (!together && strcmp(a->option->name, "vary") != 0)) continue;
    const char *equals = equals_sign(a->value);
    char key[512];
    if (!equals || equals == a->value || (size_t)(equals - a->value) >= sizeof key) {
      snprintf(err->message, sizeof err->message,
               "'--%s %.200s': give it as key=values, like time.substeps=2,4,8", a->option->name,
               a->value);
      return TRIBO_BAD_INPUT;
    }
    snprintf(key, sizeof key, "%.*s", (int)(equals - a->value), a->value);
    tribo_status status = tribo_wedge_vary(wedge, key, equals + 1, together, err);
    if (status != TRIBO_OK) return status;
  }
  return TRIBO_OK;
}

static void tell_made(const tribo_wedge *wedge) {
  size_t count = tribo_wedge_count(wedge), own = 0;
  double most = 0;
  tribo_wedge_item item;
  for (size_t i = 0; tribo_wedge_item_at(wedge, i, &item); i++) {
    own += item.same_as == i;
    if (item.memory > most) most = item.memory;
  }
  printf("%zu scenes in %s", count, tribo_wedge_folder(wedge));
  if (own < count) printf(", %zu of them different", own);
  printf("; a bake needs about %.0f MB\n", most / 1e6);
}

static int run_create(const arguments *args) {
  const char *folder = arguments_value(args, "out");
  if (!folder || !*folder) {
    cli_say("'tribo wedge' needs a folder to write into: --out DIR");
    return EXIT_BAD_INPUT;
  }
  tribo_wedge *wedge = NULL;
  tribo_error err = {0};
  tribo_status status = tribo_wedge_create(folder, &wedge, &err);
  if (status == TRIBO_OK) status = vary(args, wedge, &err);
  if (status == TRIBO_OK) status = tribo_wedge_spread(wedge, arguments_operand(args), &err);
  if (status == TRIBO_OK) status = tribo_wedge_write(wedge, &err);
  if (status == TRIBO_OK) tell_made(wedge);
  tribo_wedge_free(wedge);
  return status == TRIBO_OK ? EXIT_DONE : cli_fail(status, &err);
}

const command cmd_wedge = {
    .syntax =
        {.name = "wedge",
         .operand = "SCENE.json",
         .about = "Makes a folder of variations of a scene, to be baked here or on a farm.\n\n"
                  "'tribo wedge run DIR' bakes them here, 'tribo farm ENGINE DIR' writes the files "
                  "of\na farm's engine, 'tribo wedge status DIR' says how they stand, 'tribo wedge "
                  "sheet\nDIR' makes a page of them. Scenes that move alike have one bake.",
         .options = {{"out", "DIR", "the folder to write into; required"},
                     {"vary", "KEY=VALUES",
                      "a key of the scene file and what it shall be: 0.1,0.2 or 0.1:0.5:9 or "
                      "1e3:1e6:4:log or 0:1:10:random=7; every value with all others"},
                     {"with", "KEY=VALUES",
                      "the same, in step with the --vary before it: as many values"}}},
    .run = run_create,
};

/* ---- how it stands ---- */

static int print_report(const tribo_wedge *wedge) {
  char *json;
  tribo_error err = {0};
  tribo_status status = tribo_wedge_report(wedge, &json, &err);
  if (status != TRIBO_OK) return cli_fail(status, &err);
  puts(json);
  free(json);
  return EXIT_DONE;
}

static void print_line(size_t number, const tribo_wedge_item *item, const tribo_wedge_outcome *o) {
  const char *state =
      o->state == TRIBO_WEDGE_DONE && o->rough > 0 ? "rough" : tribo_wedge_state_name(o->state);
  printf("%4zu  %-8s %4d/%-4d %8.1f s", number, state, o->frames, item->end - item->start + 1,
         o->seconds);
  if (o->peak_memory > 0)
    printf(" %6.0f MB", o->peak_memory / 1e6);
  else
    printf(" ~%5.0f MB", item->memory / 1e6);
  printf("  %s", item->label);
  if (item->same_as != number) printf(" (the same as %zu)", item->same_as);
  const char *why = o->state == TRIBO_WEDGE_DONE ? (o->rough > 0 ? o->verdict : "") : o->why;
  printf("%s%s\n", *why ? ": " : "", why);
}

static int print_status(const tribo_wedge *wedge) {
  size_t counts[TRIBO_WEDGE_DONE + 1] = {0};
  double seconds = 0;
  tribo_wedge_item item;
  for (size_t i = 0; tribo_wedge_item_at(wedge, i, &item); i++) {
    tribo_wedge_outcome outcome;
    tribo_error err = {0};
    tribo_status status = tribo_wedge_outcome_of(wedge, item.same_as, &outcome, &err);
    if (status != TRIBO_OK) return cli_fail(status, &err);
    counts[outcome.state]++;
    if (item.same_as == i) seconds += outcome.seconds;
    print_line(i, &item, &outcome);
  }
  printf("%zu scenes:", tribo_wedge_count(wedge));
  for (int s = TRIBO_WEDGE_DONE; s >= 0; s--)
    if (counts[s]) printf(" %zu %s,", counts[s], tribo_wedge_state_name((tribo_wedge_state)s));
  printf(" %.1f s in all\n", seconds);
  return EXIT_DONE;
}

static int run_status(const arguments *args) {
  tribo_wedge *wedge = wedge_of(args);
  if (!wedge) return EXIT_BAD_INPUT;
  int code = arguments_has(args, "json") ? print_report(wedge) : print_status(wedge);
  tribo_wedge_free(wedge);
  return code;
}

const command cmd_wedge_status = {
    .syntax = {.name = "wedge status",
               .operand = "DIR",
               .about = "Says how the scenes of a wedge stand, also while they are baked.",
               .options = {{"json", NULL, "as JSON"}}},
    .run = run_status,
};
