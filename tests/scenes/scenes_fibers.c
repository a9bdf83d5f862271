/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenes/scenes_fibers.h"

#include <string.h>

#include "math/quat.h"

static const vec3 DOWN = {0, 0, -9.81};

static tribo_status start(fiber_scene *s, size_t strands, double h, double mu, tribo_error *err) {
  s->f.strands = ARENA_ARRAY(&s->memory, strand, strands);
  s->f.count = strands;
  s->f.step = (strand_step){.h = h, .gravity = DOWN};
  s->f.mu = mu;
  s->f.passes = 2;
  s->f.obstacles = s->obstacles;
  return s->f.strands ? TRIBO_OK : status_no_memory(err, "a scene of fibers");
}

static void add_obstacle(fiber_scene *s, primitive shape, double mu) {
  if (mat3_frobenius2(&shape.axes) == 0) shape.axes = mat3_identity();
  s->obstacles[s->f.obstacle_count++] =
      (fiber_obstacle){.shape = shape, .centre = shape.centre, .mu = mu};
}

/* ---- spaghetti: parallel rods that fall on a plate ---- */

/* Places of a hexagonal packing, from the middle: rows up from the floor, narrower by one each. */
static vec3 packed(int i, int widest, double apart) {
  int row = 0, wide = widest;
  while (i >= wide) i -= wide, row++, wide = wide > 1 ? wide - 1 : 1;
  return vec3_make(0, (i - (wide - 1) / 2.) * apart, row * apart * sqrt(3) / 2);
}

static tribo_status make_spaghetti(fiber_scene *s, int count, int nodes, const strand_model *model,
                                   double h, double mu, double bow, tribo_error *err) {
  double length = 0.25, radius = 1e-3;
  int widest = 1;
  while (widest * (widest + 1) / 2 < count) widest++;
  TRY(start(s, (size_t)count, h, mu, err));
  add_obstacle(s, (primitive){.kind = PRIMITIVE_PLANE}, mu);
  vec3 *points = ARENA_ARRAY(&s->memory, vec3, nodes);
  if (!points) return status_no_memory(err, "a scene of fibers");
  strand_def def = {.material = {.radius = radius, .density = 1400, .young = 2e7, .shear = 7e6},
                    .elements = nodes - 1,
                    .length = length / (nodes - 1),
                    .points = points,
                    .frame = mat3_identity(),
                    .free_root = true};
  if (model == &strand_corde) def.material.young = 3e5, def.material.shear = 1e5;
  def.material.damping = 0.5;
  for (int i = 0; i < count; i++) {
    vec3 at = packed(i, widest, 2.2 * radius);
    at.x = 0.004 * sin(7.3 * i), at.y += 0.05 * radius * sin(5.1 * i); /* no two begin alike */
    for (int k = 0; k < nodes; k++) {
      double along = length * (k / (nodes - 1.) - 0.5), angle = bow * along;
      vec3 own =
          bow > 0 ? vec3_make(sin(angle) / bow, (1 - cos(angle)) / bow, 0) : vec3_make(along, 0, 0);
      points[k] = vec3_add(vec3_add(at, own), vec3_make(0, 0, 0.02));
    }
    TRY(strand_create(model, &def, &s->memory, &s->f.strands[i], err));
  }
  return TRIBO_OK;
}

/* ---- one strand of a Super-helix, led by its root and held by its tip ---- */

static strand_def rope(int32_t elements, double length) {
  return (strand_def){
      .material = {.radius = 2e-3, .density = 1200, .young = 1e7, .shear = 3.5e6, .damping = 300},
      .elements = elements,
      .length = length / elements,
      .frame = mat3_identity()};
}

static tribo_status add_rope(fiber_scene *s, const strand_def *def, tribo_error *err) {
  TRY(strand_create(&strand_super_helix, def, &s->memory, &s->f.strands[0], err));
  s->f.strands[0].holds = s->holds;
  s->f.strands[0].hold_count = 1;
  return TRIBO_OK;
}

/* Curvatures whose frames follow a curve at equal steps of arc length, without twist; the frame at
 * the beginning is handed back. */
static void follow(vec3 (*curve)(double), double from, double to, int32_t elements, double *kkt,
                   mat3 *frame, vec3 *root, double *length) {
  enum { FINE = 20000 };
  double whole = 0, d = (to - from) / FINE;
  for (int i = 0; i < FINE; i++)
    whole += vec3_norm(vec3_sub(curve(from + (i + 1) * d), curve(from + i * d)));
  *length = whole;
  double gone = 0, step = whole / elements;
  vec3 tangent = vec3_normalized(vec3_sub(curve(from + d), curve(from)));
  vec3 side = vec3_normalized(vec3_cross(tangent, vec3_make(0.1, 0.2, 1)));
  mat3 now = mat3_from_columns(tangent, side, vec3_cross(tangent, side)), last = now;
  *frame = now, *root = curve(from);
  int32_t e = 0;
  for (int i = 0; i < FINE; i++) {
    vec3 way = vec3_sub(curve(from + (i + 1) * d), curve(from + i * d));
    gone += vec3_norm(way);
    vec3 t = vec3_normalized(way), old = mat3_column(&now, 0);
    vec3 axis = vec3_cross(old, t); /* small: its length is the angle's sine */
    mat3 turn = quat_to_matrix(quat_exp(axis));
    now = mat3_mul(&turn, &now);
    if (gone < (e + 1) * step - 1e-9 * whole && i + 1 < FINE) continue;
    mat3 back = mat3_transposed(&last), own = mat3_mul(&back, &now);
    vec3 k = vec3_scale(1 / step, quat_log(quat_from_matrix(&own)));
    if (e < elements) kkt[3 * e] = k.y, kkt[3 * e + 1] = k.z, kkt[3 * e + 2] = k.x;
    last = now, e++;
  }
}

enum { ROPE = 20 };
static const double TURNING = 4 * M_PI; /* rad/s */

/* The root turns about its tangent; the tip is held, its section too. */
static void move_plectoneme(fiber_scene *s) {
  s->f.strands[0].root_spin = vec3_make(s->time < 4 ? TURNING : 0, 0, 0);
}

/* A rod with a loop in it, whose two ends then are turned against each other. */
static tribo_status make_plectoneme(fiber_scene *s, double mu, tribo_error *err) {
  TRY(start(s, 1, 0.011, mu, err));
  s->f.step.gravity = vec3_make(0, 0, 0);
  strand_def def = rope(ROPE, 0.3);
  double looped[3 * ROPE] = {0}, round = 2 * M_PI / (8 * def.length);
  for (int e = 6; e < 14; e++) looped[3 * e] = round, looped[3 * e + 2] = 0.12 * round;
  def.start = looped;
  TRY(add_rope(s, &def, err));
  strand *own = &s->f.strands[0];
  own->model->prepare(own, &s->f.step);
  strand_place tip = {.element = ROPE - 1, .s = own->length};
  vec3 tangent;
  vec3 at = own->model->point(own, &tip, &tangent);
  (void)tangent;
  s->holds[0] = (strand_hold){
      .place = tip, .target = at, .stiffness = 300, .frame = mat3_identity(), .turning = 0.05};
  s->move = move_plectoneme;
  return TRIBO_OK;
}

/* Shastri's trefoil, an overhand knot whose ends go off along z. */
static vec3 overhand(double t) {
  double t2 = t * t;
  return vec3_make(0.02 * t * (t2 - 3), 0.015 * t2 * (t2 - 4), 0.006 * t * (t2 * t2 - 10));
}

static void move_knot(fiber_scene *s) {
  double pull = s->time < 2.5 ? 0.08 : 0;
  s->holds[0].target.z += s->f.step.h * pull;
}

static tribo_status make_knot(fiber_scene *s, double mu, tribo_error *err) {
  TRY(start(s, 1, 0.011, mu, err));
  s->f.step.gravity = vec3_make(0, 0, 0);
  double kkt[3 * ROPE], length;
  strand_def def = rope(ROPE, 1);
  follow(overhand, -2.25, 2.25, ROPE, kkt, &def.frame, &def.root, &length);
  def.length = length / ROPE, def.start = kkt;
  TRY(add_rope(s, &def, err));
  strand *own = &s->f.strands[0];
  own->model->prepare(own, &s->f.step);
  strand_place tip = {.element = ROPE - 1, .s = own->length};
  s->holds[0] = (strand_hold){.place = tip, .stiffness = 300, .frame = mat3_identity()};
  s->holds[0].target = own->model->point(own, &tip, NULL);
  s->move = move_knot;
  return TRIBO_OK;
}

/* ---- hair ---- */

enum { HAIRS = 84, HAIR_ELEMENTS = 8 };
static const double HEAD = 0.09;

/* The head, and the roots with it, turns to and fro about z. */
static void move_hair(fiber_scene *s) {
  double rate = s->time < 2 ? 2 * M_PI * 0.5 * sin(2 * M_PI * s->time) : 0;
  vec3 spin = {0, 0, rate};
  s->obstacles[0].spin = spin;
  for (size_t i = 0; i < s->f.count; i++) {
    strand *own = &s->f.strands[i];
    strand_place root = {.element = 0};
    s->f.strands[i].root_spin = spin;
    s->f.strands[i].root_velocity = vec3_cross(spin, own->model->point(own, &root, NULL));
  }
}

static mat3 frame_along(vec3 t) {
  vec3 side = fabs(t.z) < 0.9 ? vec3_make(0, 0, 1) : vec3_make(1, 0, 0);
  side = vec3_normalized(vec3_cross(side, t));
  return mat3_from_columns(t, side, vec3_cross(t, side));
}

static tribo_status make_hair(fiber_scene *s, double mu, tribo_error *err) {
  TRY(start(s, HAIRS, 0.011, mu, err));
  add_obstacle(s, (primitive){.kind = PRIMITIVE_SPHERE, .radius = HEAD}, mu);
  mat3 across = mat3_from_columns(vec3_make(0, 0, 1), vec3_make(1, 0, 0), vec3_make(0, 1, 0));
  add_obstacle(s,
               (primitive){.kind = PRIMITIVE_CAPSULE,
                           .centre = {0, 0, -0.2},
                           .axes = across,
                           .radius = 0.06,
                           .half = {0, 0, 0.14}},
               mu);
  strand_def def = {
      .material = {.radius = 2e-3, .density = 150, .young = 2.5e6, .shear = 1e6, .damping = 1},
      .elements = HAIR_ELEMENTS,
      .length = 0.3 / HAIR_ELEMENTS};
  for (int i = 0; i < HAIRS; i++) { /* a spiral over the upper back of the sphere */
    double up = 0.95 - 0.95 * (i + 0.5) / HAIRS, angle = 2.399963 * i, rest[3 * HAIR_ELEMENTS];
    vec3 out = {sqrt(1 - up * up) * cos(angle), sqrt(1 - up * up) * sin(angle), up};
    def.root = vec3_scale(HEAD + 0.0025, out);
    def.frame = frame_along(vec3_normalized(vec3_add(out, vec3_make(0, 0, 0.3))));
    for (int e = 0; e < HAIR_ELEMENTS; e++) {
      rest[3 * e] = 14 * cos(1.3 * e + i), rest[3 * e + 1] = 14 * sin(1.3 * e + i);
      rest[3 * e + 2] = 4;
    }
    def.rest = rest;
    TRY(strand_create(&strand_super_helix, &def, &s->memory, &s->f.strands[i], err));
  }
  s->move = move_hair;
  return TRIBO_OK;
}

/* ---- a cord that piles up ---- */

static tribo_status make_pile(fiber_scene *s, double mu, tribo_error *err) {
  enum { ELEMENTS = 255 };
  TRY(start(s, 1, 0.25e-3, mu, err));
  add_obstacle(s, (primitive){.kind = PRIMITIVE_PLANE}, mu);
  vec3 *points = ARENA_ARRAY(&s->memory, vec3, ELEMENTS + 1);
  if (!points) return status_no_memory(err, "a scene of fibers");
  double length = 4e-3;
  for (int i = 0; i <= ELEMENTS; i++) /* hanging, with a hint of a helix */
    points[i] = vec3_make(5e-4 * cos(0.2 * i), 5e-4 * sin(0.2 * i), 0.005 + length * i);
  strand_def def = {
      .material = {.radius = 1.5e-3, .density = 1100, .young = 6e4, .shear = 2e4, .damping = 1},
      .elements = ELEMENTS,
      .length = length,
      .points = points,
      .frame = mat3_identity(),
      .free_root = true};
  return strand_create(&strand_corde, &def, &s->memory, &s->f.strands[0], err);
}

/* ---- a strand that lies on a sphere which turns ---- */

static void move_sphere(fiber_scene *s) { s->obstacles[0].spin = vec3_make(0, 2, 0); }

static tribo_status make_sphere(fiber_scene *s, double mu, tribo_error *err) {
  enum { ELEMENTS = 40 };
  TRY(start(s, 1, 5e-3, mu, err));
  add_obstacle(s, (primitive){.kind = PRIMITIVE_SPHERE, .radius = 0.1}, mu);
  vec3 points[ELEMENTS + 1];
  for (int i = 0; i <= ELEMENTS; i++) {
    double angle = 0.06 * (i - ELEMENTS / 2.);
    points[i] = vec3_scale(0.101, vec3_make(0, sin(angle), cos(angle)));
  }
  strand_def def = {
      .material = {.radius = 1e-3, .density = 1100, .young = 2e5, .shear = 7e4, .damping = 1},
      .elements = ELEMENTS,
      .length = 0.101 * 2 * sin(0.03),
      .points = points,
      .frame = mat3_identity(),
      .free_root = true};
  s->move = move_sphere;
  return strand_create(&strand_mass_spring, &def, &s->memory, &s->f.strands[0], err);
}

/* ---- mats: five layers of ten strands each, crosswise ---- */

enum { MAT_LAYERS = 5, MAT_WIDE = 10, MAT_NODES = 30 };

static tribo_status add_mat(fiber_scene *s, size_t mat, vec3 corner, tribo_error *err) {
  double length = 0.1, radius = 5e-4;
  vec3 points[MAT_NODES];
  strand_def def = {
      .material = {.radius = radius, .density = 1200, .young = 1e7, .shear = 4e6, .damping = 1},
      .elements = MAT_NODES - 1,
      .length = length / (MAT_NODES - 1),
      .points = points,
      .frame = mat3_identity(),
      .free_root = true};
  for (int i = 0; i < MAT_LAYERS * MAT_WIDE; i++) {
    int layer = i / MAT_WIDE;
    double beside = length * (i % MAT_WIDE + 0.5) / MAT_WIDE + 1e-3 * sin(3.7 * i);
    for (int k = 0; k < MAT_NODES; k++) {
      double along = length * k / (MAT_NODES - 1);
      points[k] = layer % 2 ? vec3_make(beside, along, 0) : vec3_make(along, beside, 0);
      points[k] = vec3_add(points[k], corner);
      points[k].z = radius * (1.05 + 2.05 * layer);
    }
    size_t number = mat * MAT_LAYERS * MAT_WIDE + (size_t)i;
    TRY(strand_create(&strand_mass_spring, &def, &s->memory, &s->f.strands[number], err));
  }
  return TRIBO_OK;
}

tribo_status fiber_scene_mats(size_t mats, int threads, fiber_scene *out, tribo_error *err) {
  *out = (fiber_scene){.name = "mats", .about = "layers of crossed strands", .seconds = 0.05};
  out->f.tasks = tasks_create(threads);
  TRY(start(out, mats * MAT_LAYERS * MAT_WIDE, 1e-3, 0.3, err));
  add_obstacle(out, (primitive){.kind = PRIMITIVE_PLANE}, 0.3);
  for (size_t i = 0; i < mats; i++) {
    size_t row = i / 8, place = i % 8;
    TRY(add_mat(out, i, vec3_make(0.12 * (double)place, 0.12 * (double)row, 0), err));
  }
  return TRIBO_OK;
}

/* ---- the table ---- */

typedef struct recipe {
  const char *name, *about, *label;
  double theirs;
  int their_contacts;
  double mu, seconds;
  tribo_status (*make)(fiber_scene *s, double mu, tribo_error *err);
} recipe;

static tribo_status spaghetti_7(fiber_scene *s, double mu, tribo_error *err) {
  return make_spaghetti(s, 7, 16, &strand_corde, 1e-4, mu, 4, err);
}
static tribo_status springs_7(fiber_scene *s, double mu, tribo_error *err) {
  return make_spaghetti(s, 7, 16, &strand_mass_spring, 1e-3, mu, 0, err);
}
static tribo_status spaghetti_31(fiber_scene *s, double mu, tribo_error *err) {
  return make_spaghetti(s, 31, 16, &strand_mass_spring, 1e-3, mu, 0, err);
}
static tribo_status spaghetti_76(fiber_scene *s, double mu, tribo_error *err) {
  return make_spaghetti(s, 76, 22, &strand_mass_spring, 1e-3, mu, 0, err);
}

static const recipe RECIPES[] = {
    {"plectoneme", "a rod twisted and let in", "SH", 0.04, 18, 0, 5, make_plectoneme},
    {"knot", "an overhand knot pulled tight", "SH", 0.033, 8, 0, 4, make_knot},
    {"wavy_hair", "84 Super-helices on a head that turns", "SH", 2.6, 392, 0, 4, make_hair},
    {"wavy_hair_rough", "the same with friction", "SH", 41.2, 380, 0.3, 4, make_hair},
    {"self_stacking", "a cord that falls on a plate", "C", 0.31, 303, 0.3, 0.6, make_pile},
    {"spaghetti_7", "bowed rods that fall on a plate", "C", 0.36, 121, 0.3, 0.5, spaghetti_7},
    {"spaghetti_31", "rods that fall on a plate", "MS", 2.26, 653, 0.3, 0.12, spaghetti_31},
    {"spaghetti_76", "rods that fall on a plate", "MS", 19.1, 1806, 0.3, 0.085, spaghetti_76},
    {"springs_7", "seven rods that fall on a plate", NULL, 0, 0, 0.3, 1.5, springs_7},
    {"rotating_sphere", "a strand on a sphere that turns", NULL, 0, 0, 0.3, 1, make_sphere},
};

const char *const fiber_scene_names[] = {
    "plectoneme",  "knot",         "wavy_hair",    "wavy_hair_rough", "self_stacking",
    "spaghetti_7", "spaghetti_31", "spaghetti_76", "springs_7",       "rotating_sphere",
    NULL};

tribo_status fiber_scene_make(const char *name, double mu, int threads, fiber_scene *out,
                              tribo_error *err) {
  for (size_t i = 0; i < sizeof RECIPES / sizeof *RECIPES; i++) {
    const recipe *r = &RECIPES[i];
    if (strcmp(r->name, name) != 0) continue;
    *out = (fiber_scene){.name = r->name,
                         .about = r->about,
                         .label = r->label,
                         .theirs = r->theirs,
                         .their_contacts = r->their_contacts,
                         .seconds = r->seconds};
    out->f.tasks = tasks_create(threads);
    return r->make(out, mu < 0 ? r->mu : mu, err);
  }
  return status_fail(err, TRIBO_BAD_INPUT, "there is no scene of fibers called '%s'", name);
}

tribo_status fiber_scene_step(fiber_scene *s, fibers_report *report, tribo_error *err) {
  s->f.obstacles = s->obstacles;
  for (size_t i = 0; i < s->f.count; i++)
    if (s->f.strands[i].hold_count) s->f.strands[i].holds = s->holds;
  if (s->move) s->move(s);
  TRY(fibers_advance(&s->f, report, err));
  s->time += s->f.step.h;
  for (size_t i = 0; i < s->f.obstacle_count; i++) {
    fiber_obstacle *o = &s->obstacles[i];
    o->centre = o->shape.centre = vec3_madd(o->centre, s->f.step.h, o->velocity);
  }
  return TRIBO_OK;
}

void fiber_scene_free(fiber_scene *s) {
  fibers_free(&s->f);
  arena_free(&s->memory);
}

vec3 fiber_scene_node(const fiber_scene *s, size_t k, int32_t i) {
  const strand *own = &s->f.strands[k];
  strand_place at = {.element = i ? i - 1 : 0, .s = i ? own->length : 0};
  return own->model->point(own, &at, NULL);
}

double fiber_scene_spread(const fiber_scene *s) {
  double low = INFINITY, high = -INFINITY;
  for (size_t k = 0; k < s->f.count; k++)
    for (int32_t i = 0; i <= s->f.strands[k].elements; i++) {
      double y = fiber_scene_node(s, k, i).y;
      low = fmin(low, y), high = fmax(high, y);
    }
  return high - low;
}

double fiber_scene_height(const fiber_scene *s) {
  double high = -INFINITY;
  for (size_t k = 0; k < s->f.count; k++)
    for (int32_t i = 0; i <= s->f.strands[k].elements; i++)
      high = fmax(high, fiber_scene_node(s, k, i).z);
  return high;
}
