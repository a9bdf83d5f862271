/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `auto` takes for smooth is close to its mesh, whatever the shape, its triangles and its
 * size: asked anywhere near it, at random, it says inside where the mesh does.
 */
#include "core/model/shells.h"
#include "geom/mesh_distance.h"
#include "mls/mls_tree.h"
#include "model/smooth.h"

static const tasks one = {.threads = 1};

/* A torus or tube that is dented all over. */
static shell dented(shell s, double by) {
  for (size_t v = 0; v < s.positions.count / 3; v++) {
    double *p = s.positions.data + 3 * v;
    double size = 1 + by * sin(9 * p[0]) * cos(7 * p[1]) * sin(8 * p[2] + 1);
    for (int k = 0; k < 3; k++) p[k] *= size;
  }
  return s;
}

/* A profile along z, closed, with caps as fans from its first corner. */
static shell extruded(const double (*profile)[2], int corners, int rings, double length) {
  shell s = {0};
  for (int j = 0; j <= rings; j++)
    for (int i = 0; i < corners; i++)
      add_point(&s, profile[i][0], profile[i][1], length * j / rings);
  for (int j = 0; j < rings; j++)
    for (int i = 0; i < corners; i++) {
      int32_t here = j * corners + i, next = j * corners + (i + 1) % corners;
      add_quad(&s, here, next, next + corners, here + corners);
    }
  int32_t high = rings * corners;
  for (int i = 1; i + 1 < corners; i++) {
    add_triangle(&s, 0, i + 1, i);
    add_triangle(&s, high, high + i, high + i + 1);
  }
  return s;
}

/* Narrower from ring to ring; with fans for caps. */
static shell cone(int sides, int rings, double low, double high, double length) {
  shell s = cylinder_of_polygons(sides, rings, 1, length);
  for (size_t v = 0; v < s.positions.count / 3; v++) {
    double *p = s.positions.data + 3 * v, part = p[2] / length + 0.5;
    double radius = low + part * (high - low);
    p[0] *= radius, p[1] *= radius;
  }
  return s;
}

static const double L_PROFILE[6][2] = {{0, 0},       {0.2, 0},    {0.2, 0.01},
                                       {0.01, 0.01}, {0.01, 0.2}, {0, 0.2}};
static const double FLAT_PROFILE[4][2] = {{0, 0}, {0.5, 0}, {0.5, 0.004}, {0, 0.004}};

enum { SHAPES = 18 };
static shell shape(int k) {
  switch (k) {
    case 0: return cylinder_of_polygons(12, 41, 0.03, 2); /* a rail */
    case 1: return cylinder_of_polygons(24, 200, 0.03, 2);
    case 2: return cylinder(32, 200, 0.03, 1);
    case 3: return cylinder_of_polygons(8, 1, 0.002, 2); /* a wire */
    case 4: return cylinder_of_polygons(8, 500, 0.002, 2);
    case 5: return tube(24, 60, 0.1, 1);
    case 6: return tube(12, 5, 0.1, 1);
    case 7: return torus(96, 8, 1, 0.004);
    case 8: return torus(200, 24, 1, 0.05);
    case 9: return torus(24, 12, 1, 0.3);
    case 10: return cone(24, 20, 0.3, 0.02, 1);
    case 11: return cone(32, 40, 0.3, 0.001, 1);
    case 12: return extruded(FLAT_PROFILE, 4, 100, 1);
    case 13: return extruded(L_PROFILE, 6, 100, 1);
    case 14: return dented(sphere(32, 24), 0.2);
    case 15: return dented(sphere(96, 72), 0.3);
    case 16: return dented(torus(64, 24, 1, 0.3), 0.05);
    default: return sphere(32, 24);
  }
}

static void scale(shell *s, double by) {
  for (size_t i = 0; i < s->positions.count; i++) s->positions.data[i] *= by;
}

typedef struct smooth {
  arena memory;
  mls_surface surface;
  kdtree tree;
  mesh_distance mesh;
} smooth;

static void make(const shell *s, const tribo_surface_params *params, smooth *out) {
  const vec3 *points = (const vec3 *)s->positions.data;
  size_t count = s->triangles.count / 3;
  *out = (smooth){0};
  claim_ok(smooth_make("it", params, s->triangles.data, count, points, &one, &out->memory,
                       &out->surface, &out->tree, err));
  claim_ok(mesh_distance_build(&one, points, s->positions.count / 3, s->triangles.data, count,
                               &out->memory, &out->mesh, err));
}

static void smooth_free(smooth *s) {
  kdtree_free(&s->tree);
  arena_free(&s->memory);
}

static double spacing_of(const shell *s) {
  double sum = 0;
  const vec3 *x = (const vec3 *)s->positions.data;
  for (size_t t = 0; t < s->triangles.count; t += 3)
    for (size_t k = 0; k < 3; k++)
      sum +=
          vec3_norm(vec3_sub(x[s->triangles.data[t + k]], x[s->triangles.data[t + (k + 1) % 3]]));
  return sum / (double)s->triangles.count;
}

/* How far from the mesh something near it, at random, is that is said to be on the other side. */
static double wrong_by(const shell *s, smooth *of) {
  const vec3 *x = (const vec3 *)s->positions.data;
  uint64_t seed = 11;
  double worst = 0, reach = 2 * spacing_of(s);
  for (int k = 0; k < 4000; k++) {
    size_t t = (size_t)(claim_between(&seed, 0, 1) * (double)s->triangles.count / 3);
    double a = claim_between(&seed, 0, 1), b = claim_between(&seed, 0, 1);
    if (a + b > 1) a = 1 - a, b = 1 - b;
    vec3 c[3], q;
    for (size_t i = 0; i < 3; i++) c[i] = x[s->triangles.data[3 * t + i]];
    q = vec3_madd(vec3_scale(1 - a - b, c[0]), a, c[1]);
    q = vec3_madd(q, b, c[2]);
    for (int i = 0; i < 3; i++) (&q.x)[i] += claim_between(&seed, -reach, reach);
    kdtree_hit hits[4096];
    size_t count = kdtree_radius(&of->tree, q, of->surface.reach, KDTREE_AS_STORED, hits, 4096);
    assert_true(count <= 4096);
    int32_t index[4096];
    for (size_t i = 0; i < count; i++) index[i] = hits[i].index;
    mls_value at = mls_evaluate(&of->surface, q, index, count, MLS_VALUE);
    mesh_foot foot;
    assert_true(mesh_distance_query(&of->mesh, q, INFINITY, &foot));
    if (at.active == 0 || (foot.rim && of->mesh.rim_edges > 0)) continue;
    if ((at.value < 0) != (foot.distance < 0)) worst = fmax(worst, fabs(foot.distance));
  }
  return worst;
}

static void what_is_taken_for_smooth_is_close_to_its_mesh(void **state) {
  (void)state;
  static const double scales[] = {1e-3, 1, 100};
  int smooth_ones = 0;
  for (int k = 0; k < SHAPES; k++) {
    int first = -1;
    for (int j = 0; j < 3; j++) {
      shell s = shape(k);
      scale(&s, scales[j]);
      arena memory = {0};
      outline o;
      tribo_object_def def = object_of(&s, TRIBO_COLLIDER);
      claim_ok(outline_trace(&def, &memory, &o, err));
      if (j == 0) first = o.contact;
      assert_int_equal(o.contact, first); /* whatever the size */
      if (o.contact == TRIBO_CONTACT_MLS && j < 2) {
        smooth of;
        make(&s, &def.surface, &of);
        double wrong = wrong_by(&s, &of), most = 0.25 * o.spacing;
        if (wrong > most) fail_msg("shape %d strays by %g of %g", k, wrong, o.spacing);
        smooth_free(&of);
        smooth_ones++;
      }
      arena_free(&memory);
      shell_free(&s);
    }
  }
  assert_true(smooth_ones >= 8); /* and not by taking the mesh of all */
}

/* A rail, and a wire: told, and where. */
static void what_is_smooth_by_wish_and_strays_is_told(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    shell s = shape(k == 0 ? 0 : 3), ball = shape(SHAPES - 1);
    arena memory = {0};
    outline o;
    tribo_object_def def = object_of(&s, TRIBO_COLLIDER);
    def.surface.contact = TRIBO_CONTACT_MLS;
    claim_ok(outline_trace(&def, &memory, &o, err));
    assert_true(o.strays > 0.25 * (k == 0 ? 0.03 : 0.002));
    def = object_of(&ball, TRIBO_COLLIDER);
    def.surface.contact = TRIBO_CONTACT_MLS;
    claim_ok(outline_trace(&def, &memory, &o, err));
    assert_true(o.strays == 0);
    arena_free(&memory);
    shell_free(&s);
    shell_free(&ball);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_taken_for_smooth_is_close_to_its_mesh),
      cmocka_unit_test(what_is_smooth_by_wish_and_strays_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
