/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tribo bake: runs a scene into a folder.
 *
 * SIGINT, SIGTERM and SIGHUP let the frame at work be finished and written; a second one ends the
 * program at once, which costs that frame and nothing else. So does a reader of the progress that
 * goes away (SIGPIPE), and a stdout that was closed before the start.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "progress.h"
#include "stop.h"

static void on_pipe(int number) {
  (void)number;
  stop_wish(); /* another write would tell again: that is no second wish */
}

static void catch_signals(void) {
  stop_catch(true);
  struct sigaction action = {.sa_handler = on_pipe, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGPIPE, &action, NULL);
  /* Past a limit on file size, a write shall fail like on a full disk. */
  signal(SIGXFSZ, SIG_IGN);
}

static bool on_progress(void *user, const tribo_progress *now) {
  bool heard = progress_frame(user, now);
  return heard && !stop_wanted();
}

static void on_log(void *user, tribo_log_level level, const char *message) {
  progress_log(user, level, message);
}

/* The start of a bake is the scene's start state, so a bake cannot begin anywhere else. */
static int apply_frames(const arguments *args, tribo_scene *scene) {
  tribo_time_params *time = tribo_scene_time(scene);
  int first = time->start, last = time->end;
  if (!arguments_frames(args, &first, &last)) return EXIT_BAD_INPUT;
  if (first != time->start) {
    cli_say(
        "'--frames %s': the scene starts at frame %d, and every later frame follows from it; "
        "give %d:%d or :%d (or time.start to number the frames otherwise)",
        arguments_value(args, "frames"), time->start, time->start, last, last);
    return EXIT_BAD_INPUT;
  }
  if (last < first) {
    cli_say("'--frames %s': the last frame is before the first, %d",
            arguments_value(args, "frames"), first);
    return EXIT_BAD_INPUT;
  }
  time->end = last;
  return EXIT_DONE;
}

/* ---- "how do I go on?" ---- */

static void print_word(const char *word) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (*word && word[strspn(word, plain)] == 0) {
    fprintf(stderr, " %s", word);
    return;
  }
  fputs(" '", stderr);
  for (const char *c = word; *c; c++)
    if (*c == '\'')
      fputs("'\\''", stderr);
    else
      fputc(*c, stderr);
  fputc('\'', stderr);
}

/* The same command again, with --resume. */
static void print_how_to_resume(const arguments *args) {
  fputs("tribo: to go on: tribo bake", stderr);
  for (size_t i = 0; i < args->count; i++) {
    const argument *a = &args->items[i];
    if (!a->option) {
      print_word(a->value);
      continue;
    }
    if (strcmp(a->option->name, "resume") == 0 || strcmp(a->option->name, "overwrite") == 0 ||
        strcmp(a->option->name, "from-frame") == 0)
      continue;
    fprintf(stderr, " --%s", a->option->name);
    if (a->value) print_word(a->value);
  }
  fputs(" --resume\n", stderr);
}

/* ---- what came of it ---- */

/* NULL where there is none: nothing was baked, or the folder belongs to somebody else. */
static const tribo_verdict *read_verdict(const arguments *args, tribo_cache **cache) {
  const tribo_verdict *verdict = NULL;
  if (tribo_cache_open(arguments_value(args, "out"), cache, NULL) != TRIBO_OK) return NULL;
  return tribo_cache_verdict(*cache, &verdict, NULL) == TRIBO_OK ? verdict : NULL;
}

/* The verdict, and what crosses at the last frame. A warning where there is something to warn of.
 */
static void say_verdict(tribo_cache *cache, const tribo_verdict *verdict, bool pairs) {
  const tribo_crossing *c;
  size_t count = 0;
  if (verdict->rough)
    cli_say("warning: %s", verdict->text);
  else
    printf("%s\n", verdict->text);
  int last = tribo_cache_about(cache)->start + verdict->frames - 1;
  if (!pairs || tribo_cache_crossings(cache, last, &c, &count, NULL) != TRIBO_OK) return;
  for (size_t i = 0; i < count; i++)
    printf("frame %d: '%s' crosses %s%s%s at %d edges, %d of them new\n", last, c[i].object,
           strcmp(c[i].object, c[i].other) ? "'" : "",
           strcmp(c[i].object, c[i].other) ? c[i].other : "itself",
           strcmp(c[i].object, c[i].other) ? "'" : "", c[i].count, c[i].new_count);
}

/* ---- the command ---- */

static int bake(const arguments *args, tribo_scene *scene, const tribo_bake_options *options) {
  progress *shown = options->user;
  tribo_error err = {0};
  catch_signals();
  tribo_status status = tribo_bake(scene, arguments_value(args, "out"), options, &err);
  int code = cli_exit_code(status);
  tribo_cache *cache = NULL;
  /* Where nothing was baked, the frames in the folder are those of another time. */
  const tribo_verdict *verdict = status == TRIBO_BAD_INPUT ? NULL : read_verdict(args, &cache);
  if (code == EXIT_DONE && verdict && verdict->rough && arguments_has(args, "strict"))
    code = EXIT_ROUGH;
  progress_end(shown, &err, status, code, verdict);
  bool wordy = shown->style == PROGRESS_BAR || shown->style == PROGRESS_LINES;
  if (status == TRIBO_OK && wordy)
    printf("baked frames %d to %d into %s\n", tribo_scene_time(scene)->start,
           tribo_scene_time(scene)->end, arguments_value(args, "out"));
  if (verdict && (wordy || code == EXIT_ROUGH)) say_verdict(cache, verdict, wordy);
  tribo_cache_free(cache);
  if (status != TRIBO_OK) cli_say_error(&err);
  if (status == TRIBO_CANCELLED) print_how_to_resume(args);
  return code;
}

static int run(const arguments *args) {
  int threads = 0;
  int style = arguments_choice(args, "progress", PROGRESS_STYLES, PROGRESS_STYLE_COUNT, 0);
  int from_frame = 0;
  if (style < 0 || !arguments_integer(args, "threads", 0, TRIBO_MOST_THREADS, &threads) ||
      !arguments_integer(args, "from-frame", -1000000, 1000000, &from_frame))
    return EXIT_BAD_INPUT;
  const char *folder = arguments_value(args, "out");
  if (!folder || !*folder) {
    cli_say("'tribo bake' needs a folder to bake into: --out DIR");
    return EXIT_BAD_INPUT;
  }

  tribo_scene *scene;
  tribo_error err = {0};
  tribo_status status = cli_read_scene(args, &scene, &err);
  progress shown = progress_create((progress_style)style);
  if (status != TRIBO_OK) {
    progress_refused(&shown, err.message);
    return cli_fail(status, &err);
  }
  int code = apply_frames(args, scene);
  if (code == EXIT_DONE) {
    tribo_bake_options options = {.threads = threads,
                                  .resume = arguments_has(args, "resume"),
                                  .overwrite = arguments_has(args, "overwrite"),
                                  .contacts = arguments_has(args, "contacts"),
                                  .keep_states = arguments_has(args, "keep-states"),
                                  .rewind = arguments_has(args, "from-frame"),
                                  .from_frame = from_frame,
                                  .contact_problems = arguments_value(args, "contact-problems"),
                                  .progress = on_progress,
                                  .log = on_log,
                                  .user = &shown};
    code = bake(args, scene, &options);
  }
  tribo_scene_free(scene);
  return code;
}

const command cmd_bake = {
    .syntax =
        {.name = "bake",
         .operand = "SCENE.json",
         .about =
             "Runs a scene and leaves its motion in a folder.\n\n"
             "The folder holds OBJECT.pc2 and OBJECT.obj or .msh for every object, stats.jsonl,"
             "\nstate.ckpt and bake.json. Interrupt it, or kill it, at any moment: --resume goes"
             "\non after the last complete frame, to the same bits.",
         .options =
             {{"out", "DIR", "the folder to bake into; required"},
              {"threads", "N", "how many threads; 0, the default: all"},
              {"quality", "Q", "sets quality: preview, good, final"},
              {"method", "M", "sets method"},
              {"backend", "B", "sets solver.backend"},
              {"linear", "L", "sets solver.linear"},
              {"set", "key=value", "sets a key of the scene file: time.substeps=8"},
              {"frames", "A:B", "bakes up to frame B; A is the scene's first frame, or left out"},
              {"resume", NULL, "goes on with the bake that is in the folder"},
              {"overwrite", NULL,
               "replaces the bake that is in the folder, and nothing else there"},
              {"keep-states", NULL, "also keeps the state of every frame, for --from-frame"},
              {"from-frame", "N",
               "keeps frames up to N of a bake with --keep-states, and goes on from there with "
               "the scene as it is now"},
              {"contacts", NULL,
               "also writes contacts.jsonl: who touches whom, where, with which force"},
              {"contact-problems", "DIR",
               "also writes the friction problem of every frame, for 'contact-problem'"},
              {"strict", NULL, "exits with 6 where a frame is rough: it has crossings, say"},
              {"progress", "HOW",
               "auto, bar, lines, json or none; openjd, flamenco or opencue for their engines"}}},
    .run = run,
};
