/* A strip of cloth from arrays: held at one end, it swings down for a second. */
#include <stdio.h>

#include <tribo/tribo.h>

static const double positions[] = {0, 0, 2, 0, 1, 2, 1, 0, 2, 1, 1, 2, 2, 0, 2, 2, 1, 2};
static const int32_t triangles[] = {0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3};
static const int32_t held[] = {0, 1};

int main(void) {
  tribo_pin_def pin = {.vertices = held, .vertex_count = 2, .params = tribo_pin_defaults()};
  tribo_object_def strip = tribo_object_default(TRIBO_CLOTH);
  strip.name = "strip";
  strip.positions = positions;
  strip.vertex_count = 6;
  strip.triangles = triangles;
  strip.triangle_count = 4;
  strip.pins = &pin;
  strip.pin_count = 1;
  strip.cloth.stretch = 5000; /* N/m; what is not set here keeps its default */

  tribo_scene *scene = NULL;
  tribo_sim *sim = NULL;
  tribo_error err;
  int failed = tribo_scene_create(&scene, &err) || tribo_scene_add(scene, &strip, NULL, &err) ||
               tribo_sim_create(scene, NULL, &sim, &err);
  for (int frame = 0; frame < 24 && !failed; frame++) {
    failed = tribo_sim_frame(sim, NULL, &err) != TRIBO_OK;
    const double *x = tribo_sim_positions(sim, 0) + 3 * 4; /* vertex 4, at the free end */
    if (!failed) printf("%.3f s: %6.3f %6.3f %6.3f\n", tribo_sim_time(sim), x[0], x[1], x[2]);
  }
  if (failed) fprintf(stderr, "%s\n", err.message);
  tribo_sim_free(sim);
  tribo_scene_free(scene);
  return failed;
}
