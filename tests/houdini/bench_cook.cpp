/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a cook costs beside the step: a cloth of SIDE by SIDE squares over a ball that deforms,
 * played by the node and by the core alone, in processor time of one thread, frame by frame in
 * turn.
 *
 *     bench_cook [SIDE] [FRAMES]
 */
#include <tribo/tribo.h>

#include <ctime>

#include "stage.h"

using namespace stage;

static double now() { /* s of processor time, of all threads */
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

int main(int argc, char **argv) {
  const int side = argc > 1 ? atoi(argv[1]) : 100, frames = argc > 2 ? atoi(argv[2]) : 6;
  auto sop = drape(side);
  double made = 0; /* of the inputs: Houdini's own work, not the node's */
  for (int i : {0, 2}) {
    const hdk_input make = sop->inputs[i];
    sop->inputs[i] = [make, &made, i](double frame, GU_Detail &d) {
      const double before = now();
      make(frame, d);
      if (i == 2) d.getP()->reals[0] += 1e-4f * float(std::sin(frame));
      made += now() - before;
      return true;
    };
  }
  set(*sop, "threads", 1);
  set(*sop, "endframe", frames);
  sop->texts["bundle"] = "bench_bundle";
  sop->press("writebundle");
  tribo_scene *scene = nullptr;
  tribo_sim *sim = nullptr;
  tribo_error err = {};
  tribo_sim_options options = {};
  options.threads = 1;
  CLAIM(!tribo_scene_read("bench_bundle/scene.json", &scene, &err) &&
        !tribo_sim_create(scene, &options, &sim, &err));
  CLAIM(sop->cook(1) < UT_ERROR_ABORT);
  double cooked = 0, stepped = 0, shown = 0;
  made = 0;
  for (int frame = 2; frame <= frames; frame++) {
    const double a = now(), made_before = made;
    CLAIM(sop->cook(frame) < UT_ERROR_ABORT);
    const double b = now(), made_here = made - made_before;
    CLAIM(tribo_sim_frame(sim, nullptr, &err) == TRIBO_OK);
    const double c = now(), made_then = made;
    CLAIM(sop->cook(frame) < UT_ERROR_ABORT); /* from memory */
    const double d = now();
    cooked += b - a - made_here;
    stepped += c - b;
    shown += d - c - (made - made_then);
  }
  printf(
      "%d vertices, %d frames: a step %.1f ms, a cook %.1f ms, overhead %.2f%%; from memory %.2f "
      "ms (%.2f%%)\n",
      (side + 1) * (side + 1), frames - 1, 1e3 * stepped / (frames - 1),
      1e3 * cooked / (frames - 1), 100 * (cooked / stepped - 1), 1e3 * shown / (frames - 1),
      100 * shown / stepped);
  tribo_sim_free(sim);
  tribo_scene_free(scene);
  return 0;
}
