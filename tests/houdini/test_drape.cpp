/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <tribo/tribo.h>

#include "stage.h"

using namespace stage;

/* What a bake of the node's bundle has at every frame, in Houdini's space. */
static std::vector<Positions> bake_of_bundle(SOP_Node &sop, const std::string &name, int end) {
  sop.texts["bundle"] = name + "_bundle";
  set(sop, "endframe", end);
  sop.said.clear();
  sop.press("writebundle");
  if (sop.error() >= UT_ERROR_ABORT) print_said(sop);
  CLAIM(sop.error() < UT_ERROR_ABORT);
  tribo_scene *scene = nullptr;
  tribo_cache *cache = nullptr;
  tribo_error err = {};
  tribo_bake_options options = {};
  options.overwrite = true;
  const std::string folder = name + "_cache";
  const bool failed = tribo_scene_read((name + "_bundle/scene.json").c_str(), &scene, &err) ||
                      tribo_bake(scene, folder.c_str(), &options, &err) ||
                      tribo_cache_open(folder.c_str(), &cache, &err);
  if (failed) fprintf(stderr, "%s\n", err.message);
  CLAIM(!failed);
  std::vector<Positions> frames;
  for (int frame = tribo_cache_about(cache)->start; frame <= end; frame++) {
    Positions all;
    for (size_t i = 0; i < tribo_cache_about(cache)->object_count; i++) {
      tribo_cache_object object;
      CLAIM(tribo_cache_object_at(cache, i, &object, &err) == TRIBO_OK);
      std::vector<double> x(3 * object.vertex_count);
      CLAIM(tribo_cache_positions(cache, i, frame, x.data(), &err) == TRIBO_OK);
      for (size_t v = 0; v < object.vertex_count; v++) {
        all.push_back(float(x[3 * v]));
        all.push_back(float(x[3 * v + 2]));
        all.push_back(float(0.0 - x[3 * v + 1]));
      }
    }
    frames.push_back(all);
  }
  tribo_cache_free(cache);
  tribo_scene_free(scene);
  return frames;
}

static void claim_same_bits(SOP_Node &sop, const std::string &name, int end) {
  const std::vector<Positions> baked = bake_of_bundle(sop, name, end);
  for (int frame = 1; frame <= end; frame++) {
    if (sop.cook(frame) >= UT_ERROR_ABORT) print_said(sop);
    CLAIM(sop.error() < UT_ERROR_ABORT);
    const Positions played = positions(sop);
    CLAIM(played.size() == baked[size_t(frame - 1)].size());
    CLAIM(memcmp(played.data(), baked[size_t(frame - 1)].data(), played.size() * sizeof(float)) ==
          0);
  }
}

static void a_drape__plays_to_the_bits_of_its_bundle() {
  auto sop = drape();
  claim_same_bits(*sop, "drape", 40);
  /* It did drape: it lies on the ball, its corners hang, and it did not go through. */
  const Positions x = positions(*sop);
  float low = 10, high = 0;
  for (size_t i = 0; i < x.size(); i += 3) {
    const float r =
        std::sqrt(x[i] * x[i] + (x[i + 1] - 0.6f) * (x[i + 1] - 0.6f) + x[i + 2] * x[i + 2]);
    low = std::fmin(low, x[i + 1]);
    high = std::fmax(high, x[i + 1]);
    CLAIM(r > 0.29f);
  }
  CLAIM(high > 0.88f && high < 0.95f && low < 0.6f);
  CLAIM(sop->my_gdp->find(GA_ATTRIB_POINT, "v") &&
        sop->my_gdp->find(GA_ATTRIB_POINT, "frictionforce"));
  float stuck = 0;
  for (float state : sop->my_gdp->find(GA_ATTRIB_POINT, "contactstate")->reals) stuck += state > 0;
  CLAIM(stuck > 4);
  CLAIM(sop->cookGuide(40) < UT_ERROR_ABORT);
  CLAIM(sop->my_guide->getNumPrimitives() >= GA_Size(stuck));
}

static void a_ball_that_deforms_and_pins_that_move__play_to_the_bits_of_their_bundle() {
  auto sop = node();
  sop->inputs[0] = [](double frame, GU_Detail &d) {
    sheet(d, 10, 1, 0, 1, 0);
    d.add(GA_ATTRIB_POINT, "pintoanimation", 1, false)->reals[0] = 1;
    d.getP()->reals[1] += 0.01f * float(frame - 1);
    return true;
  };
  sop->inputs[2] = [](double frame, GU_Detail &d) {
    ball(d, 0.3f, 0, 0.6f, 0);
    for (size_t i = 0; i < d.getP()->reals.size(); i += 3)
      d.getP()->reals[i] *= 1 + 0.01f * float(std::sin(frame));
    return true;
  };
  set(*sop, "samples", 2);
  claim_same_bits(*sop, "deforming", 15);
}

static void a_soft_block_rigid_boxes_and_cloth__play_to_the_bits_of_their_bundle() {
  auto sop = node();
  sop->inputs[0] = [](double, GU_Detail &d) {
    box(d, 0.2f, 0, 0.31f, 0);
    box(d, 0.2f, 0.5f, 0.2f, 0.1f);
    GA_Attribute *name = d.add(GA_ATTRIB_PRIMITIVE, "name", 1, true);
    GA_Attribute *kind = d.add(GA_ATTRIB_PRIMITIVE, "tribo_kind", 1, true);
    for (size_t i = 0; i < 12; i++) {
      name->texts[i] = i < 6 ? "crate" : "jelly";
      kind->texts[i] = i < 6 ? "rigid" : "soft";
    }
    return true;
  };
  sop->inputs[2] = [](double, GU_Detail &d) {
    sheet(d, 2, 4, 0, 0, 0);
    return true;
  };
  set(*sop, "fill_from", 2);  // lattice: needs no TetGen
  set(*sop, "fill_cells", 2);
  claim_same_bits(*sop, "blocks", 5);
}

/* With a folder: writes there the bundle of the set-up that docs/houdini.md shows; of one with as
 * many squares a side as the second argument says. */
int main(int argc, char **argv) {
  if (argc > 1) {
    auto sop = drape(argc > 2 ? atoi(argv[2]) : 30);
    sop->texts["bundle"] = argv[1];
    set(*sop, "endframe", 60);
    sop->press("writebundle");
    print_said(*sop);
    return sop->error() >= UT_ERROR_ABORT;
  }
  a_drape__plays_to_the_bits_of_its_bundle();
  a_ball_that_deforms_and_pins_that_move__play_to_the_bits_of_their_bundle();
  a_soft_block_rigid_boxes_and_cloth__play_to_the_bits_of_their_bundle();
  puts("all claims hold");
  return 0;
}
