/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cooking like people cook: whatever they do, a frame is what a clean run has there.
 */
#include <chrono>
#include <random>

#include "stage.h"

using namespace stage;

/* A small cloth over a ball that goes up and down; `lift` is what the user edits. */
static std::unique_ptr<SOP_Node> small(const double *lift) {
  auto sop = node();
  sop->inputs[0] = [](double, GU_Detail &d) {
    sheet(d, 4, 0.5f, 0.02f, 0.75f, 0.01f);
    return true;
  };
  sop->inputs[2] = [lift](double frame, GU_Detail &d) {
    ball(d, 0.15f, 0, 0.55f + float(*lift) + 0.01f * float(std::sin(frame)), 0, 6);
    return true;
  };
  set(*sop, "world_quality", 0); /* a cheap one: it is about what is shown, not how good it is */
  set(*sop, "world_method", 2);
  set(*sop, "time_substeps", 2);
  set(*sop, "solver_projective_iterations", 5);
  return sop;
}

static bool same(const Positions &a, const Positions &b) {
  return a.size() == b.size() && memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

static const int LAST = 12;

/* What a node shows that was never used before: frame by frame, for a lift and a gravity. */
static std::vector<Positions> clean_run(double lift, double gravity) {
  auto sop = small(&lift);
  sop->numbers["world_gravity"] = [gravity](int k, double) { return k == 1 ? gravity : 0.0; };
  std::vector<Positions> out;
  for (int frame = 1; frame <= LAST; frame++) {
    CLAIM(sop->cook(frame) < UT_ERROR_ABORT);
    out.push_back(positions(*sop));
  }
  return out;
}

static void jumping_ahead__simulates_all_that_lies_between() {
  double lift = 0;
  const auto clean = clean_run(0, -9.81);
  auto sop = small(&lift);
  CLAIM(sop->cook(9) < UT_ERROR_ABORT);
  CLAIM(same(positions(*sop), clean[8]));
  /* The colliders were read once a frame, each at its own time, then what is shown. */
  std::map<double, int> reads;
  for (const auto &read : sop->reads)
    if (read.first == 2) reads[read.second]++;
  CLAIM(reads.size() == 9);
  for (const auto &read : reads) CLAIM(read.second == (std::fabs(read.first - 9) < 1e-9 ? 2 : 1));
}

static void scrubbing_back__shows_what_was_there() {
  double lift = 0;
  const auto clean = clean_run(0, -9.81);
  auto sop = small(&lift);
  sop->cook(8);
  for (int frame : {3, 8, 1, 5, 12, 2}) {
    sop->cook(frame);
    CLAIM(same(positions(*sop), clean[size_t(frame - 1)]));
  }
}

static void before_the_start__the_input_is_shown() {
  double lift = 0;
  auto sop = small(&lift);
  set(*sop, "startframe", 5);
  CLAIM(sop->cook(2) < UT_ERROR_ABORT);
  GU_Detail input;
  sop->inputs[0](2, input);
  CLAIM(same(positions(*sop), input.getP()->reals));
  CLAIM(!sop->my_gdp->find(GA_ATTRIB_POINT, "frictionforce"));
  const auto clean = clean_run(0, -9.81);
  CLAIM(sop->cook(5) < UT_ERROR_ABORT && same(positions(*sop), clean[0]));
  CLAIM(sop->cook(-1e9) < UT_ERROR_ABORT);
}

static void a_fractional_frame__lies_between_its_neighbours() {
  double lift = 0;
  auto sop = small(&lift);
  sop->cook(7.25);
  const Positions between = positions(*sop);
  const auto clean = clean_run(0, -9.81);
  for (size_t i = 0; i < between.size(); i++) {
    const float wanted = 0.75f * clean[6][i] + 0.25f * clean[7][i];
    CLAIM(std::fabs(between[i] - wanted) < 1e-6f);
  }
}

static void a_frame_that_seconds_rounded__is_that_frame() {
  double lift = 0;
  auto sop = small(&lift);
  sop->cook(5.0000000001);
  CLAIM(same(positions(*sop), clean_run(0, -9.81)[4]));
  for (const auto &read : sop->reads) CLAIM(read.second < 5.5);
}

static void resetting__begins_anew_and_comes_to_the_same() {
  double lift = 0;
  const auto clean = clean_run(0, -9.81);
  auto sop = small(&lift);
  sop->cook(6);
  sop->reads.clear();
  sop->press("resetsim");
  CLAIM(sop->recooks == 1);
  sop->cook(6);
  CLAIM(sop->reads.size() > 5 && same(positions(*sop), clean[5]));
}

static void a_parameter__ends_the_simulation_and_one_that_only_shows_does_not() {
  double lift = 0;
  auto sop = small(&lift);
  sop->cook(6);
  sop->reads.clear();
  set(*sop, "forcescale", 2);
  set(*sop, "threads", 1);
  sop->cook(6);
  CLAIM(sop->reads.size() <= 4);
  sop->numbers["world_gravity"] = [](int k, double) { return k == 1 ? -1.6 : 0.0; };
  sop->cook(6);
  CLAIM(same(positions(*sop), clean_run(0, -1.6)[5]));
}

static void an_animated_parameter__has_its_value_of_the_start() {
  double lift = 0;
  auto sop = small(&lift);
  sop->numbers["world_gravity"] = [](int k, double frame) { return k == 1 ? -9.81 * frame : 0.0; };
  for (int frame = 1; frame <= 6; frame++) sop->cook(frame);
  CLAIM(same(positions(*sop), clean_run(0, -9.81)[5]));
}

static void an_edited_input__is_noticed_at_the_frame_that_is_shown() {
  double lift = 0;
  auto sop = small(&lift);
  sop->cook(8);
  lift = 0.02;
  sop->cook(8);
  CLAIM(same(positions(*sop), clean_run(0.02, -9.81)[7]));
}

static void another_topology_at_the_start__is_another_simulation() {
  double lift = 0;
  int squares = 4;
  auto sop = small(&lift);
  sop->inputs[0] = [&](double, GU_Detail &d) {
    sheet(d, squares, 0.5f, 0.02f, 0.75f, 0.01f);
    return true;
  };
  sop->cook(5);
  squares = 6;
  CLAIM(sop->cook(5) < UT_ERROR_ABORT);
  CLAIM(sop->my_gdp->getNumPoints() == 49);
}

static void another_topology_on_the_way__is_an_error_with_counts_and_a_remedy() {
  double lift = 0;
  bool broken = true;
  auto sop = small(&lift);
  auto good = sop->inputs[2];
  sop->inputs[2] = [&, good](double frame, GU_Detail &d) {
    good(frame, d);
    if (broken && frame > 4.5) point(d, 0, 0, 0);
    return true;
  };
  CLAIM(sop->cook(4) < UT_ERROR_ABORT);
  CLAIM(sop->cook(7) == UT_ERROR_ABORT);
  CLAIM(said(*sop, UT_ERROR_ABORT, "colliders (third input) changed its topology") &&
        said(*sop, UT_ERROR_ABORT, "at frame 5") && said(*sop, UT_ERROR_ABORT, "Time Shift"));
  CLAIM(sop->cook(3) < UT_ERROR_ABORT); /* what was there is there */
  CLAIM(sop->cook(7) == UT_ERROR_ABORT && sop->cookGuide(7) == UT_ERROR_ABORT);
  CLAIM(sop->my_guide->getNumPrimitives() == 0); /* nothing is drawn of a frame that is not shown */
  broken = false;
  CLAIM(sop->cook(7) < UT_ERROR_ABORT && same(positions(*sop), clean_run(0, -9.81)[6]));
}

static void an_input_with_an_error__is_named_and_can_be_mended() {
  double lift = 0;
  bool broken = true;
  auto sop = small(&lift);
  auto good = sop->inputs[2];
  sop->inputs[2] = [&, good](double frame, GU_Detail &d) {
    return !(broken && frame > 5) && good(frame, d);
  };
  CLAIM(sop->cook(8) == UT_ERROR_ABORT);
  CLAIM(said(*sop, UT_ERROR_ABORT, "input 3 has an error at frame 6"));
  broken = false;
  CLAIM(sop->cook(8) < UT_ERROR_ABORT && same(positions(*sop), clean_run(0, -9.81)[7]));
}

static void a_small_cache__forgets_the_oldest_and_finds_them_again() {
  double lift = 0;
  auto sop = node();
  sop->inputs[0] = [](double, GU_Detail &d) {
    sheet(d, 110, 4, 0, 1, 0); /* half a megabyte a frame */
    return true;
  };
  set(*sop, "world_quality", 0);
  set(*sop, "world_method", 2);
  set(*sop, "time_substeps", 1);
  set(*sop, "solver_projective_iterations", 1);
  set(*sop, "cachememory", 1);
  sop->cook(3);
  const Positions third = positions(*sop);
  sop->cook(6);
  sop->cook(3);
  CLAIM(same(positions(*sop), third));
  CLAIM(said(*sop, UT_ERROR_MESSAGE, "no longer in the cache"));
  (void)lift;
}

static void esc__ends_a_step_of_seconds_within_50_ms_and_leaves_what_was_there() {
  auto sop = node();
  sop->inputs[0] = [](double, GU_Detail &d) {
    sheet(d, 60, 1, 0, 0.75f, 0);
    return true;
  };
  sop->inputs[2] = [](double, GU_Detail &d) {
    ball(d, 0.3f, 0, 0.4f, 0);
    return true;
  };
  set(*sop, "threads", 1);
  set(*sop, "world_quality", 0);
  set(*sop, "world_method", 2);
  set(*sop, "time_substeps", 2000); /* a frame takes many seconds */
  sop->cook(1);
  const Positions before = positions(*sop);
  typedef std::chrono::steady_clock clock;
  double best = 1e9;
  for (int turn = 0; turn < 4; turn++) {
    const auto began = clock::now();
    clock::time_point pressed;
    hdk::escape = [&](int) {
      if (std::chrono::duration<double>(clock::now() - began).count() < 0.2) return false;
      if (pressed == clock::time_point()) pressed = clock::now();
      return true;
    };
    CLAIM(sop->cook(2) < UT_ERROR_ABORT);
    const double ms = 1e3 * std::chrono::duration<double>(clock::now() - pressed).count();
    best = std::fmin(best, ms);
    CLAIM(said(*sop, UT_ERROR_WARNING, "stopped at frame 1"));
    CLAIM(same(positions(*sop), before));
  }
  hdk::escape = nullptr;
  printf("Esc acts within %.1f ms\n", best);
#ifdef TRIBO_SANITIZED
  CLAIM(best < 1000); /* of a build that is many times as slow */
#else
  CLAIM(best < 50); /* of four: a busy machine may keep the thread waiting once */
#endif
}

static void esc_between_frames__goes_on_where_it_was() {
  double lift = 0;
  auto sop = small(&lift);
  int looks = 0;
  hdk::escape = [&](int) { return ++looks == 5; };
  sop->cook(12);
  hdk::escape = nullptr;
  CLAIM(said(*sop, UT_ERROR_WARNING, "stopped at frame"));
  CLAIM(sop->cook(12) < UT_ERROR_ABORT && same(positions(*sop), clean_run(0, -9.81)[11]));
}

static void two_nodes__do_not_know_of_each_other() {
  double lift = 0, other = 0.02;
  const auto clean = clean_run(0, -9.81), lifted = clean_run(0.02, -9.81);
  auto a = small(&lift), b = small(&other);
  for (int frame = 1; frame <= 6; frame++) {
    a->cook(frame);
    b->cook(frame);
    CLAIM(same(positions(*a), clean[size_t(frame - 1)]));
    CLAIM(same(positions(*b), lifted[size_t(frame - 1)]));
  }
}

/* 200 sequences of what people do; every cook that was not stopped shows what a clean run has. */
static void any_sequence__equals_a_clean_run() {
  const double lifts[] = {0, 0.02}, pulls[] = {-9.81, -1.6};
  std::vector<Positions> clean[2][2];
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) clean[i][k] = clean_run(lifts[i], pulls[k]);
  std::mt19937 dice(20);
  auto roll = [&](int n) { return int(dice() % unsigned(n)); };
  for (int sequence = 0; sequence < 200; sequence++) {
    double lift = 0;
    int l = 0, g = 0, frame = 1;
    auto sop = small(&lift);
    sop->numbers["world_gravity"] = [&](int k, double) { return k == 1 ? pulls[g] : 0.0; };
    for (int deed = 0; deed < 6; deed++) {
      bool may_stop = false;
      int looks = roll(8);
      switch (roll(7)) {
        case 0: frame = frame < LAST ? frame + 1 : 1; break; /* play */
        case 1: frame = 1 + roll(LAST); break;               /* jump, or scrub back */
        case 2: lift = lifts[l = roll(2)]; break;            /* edit a collider */
        case 3: g = roll(2); break;                          /* change a parameter */
        case 4: sop->press("resetsim"); break;
        case 5: frame = 1; break; /* rewind */
        case 6:                   /* Esc */
          frame = 1 + roll(LAST);
          may_stop = true;
          hdk::escape = [&](int) { return looks-- == 0; };
          break;
      }
      const OP_ERROR worst = sop->cook(frame);
      hdk::escape = nullptr;
      CLAIM(worst < UT_ERROR_ABORT);
      if (may_stop && said(*sop, UT_ERROR_WARNING, "stopped")) continue;
      CLAIM(same(positions(*sop), clean[l][g][size_t(frame - 1)]));
    }
  }
}

int main() {
  jumping_ahead__simulates_all_that_lies_between();
  scrubbing_back__shows_what_was_there();
  before_the_start__the_input_is_shown();
  a_fractional_frame__lies_between_its_neighbours();
  a_frame_that_seconds_rounded__is_that_frame();
  resetting__begins_anew_and_comes_to_the_same();
  a_parameter__ends_the_simulation_and_one_that_only_shows_does_not();
  an_animated_parameter__has_its_value_of_the_start();
  an_edited_input__is_noticed_at_the_frame_that_is_shown();
  another_topology_at_the_start__is_another_simulation();
  another_topology_on_the_way__is_an_error_with_counts_and_a_remedy();
  an_input_with_an_error__is_named_and_can_be_mended();
  a_small_cache__forgets_the_oldest_and_finds_them_again();
  esc__ends_a_step_of_seconds_within_50_ms_and_leaves_what_was_there();
  esc_between_frames__goes_on_where_it_was();
  two_nodes__do_not_know_of_each_other();
  any_sequence__equals_a_clean_run();
  puts("all claims hold");
  return 0;
}
