/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the node makes of its inputs: attributes, groups, packed primitives, and what cannot be.
 */
#include <tribo/tribo.h>

#include "stage.h"

using namespace stage;

/* The node's scene, by way of a bundle of its first frame. */
static tribo_scene *scene_of(SOP_Node &sop, const std::string &name) {
  sop.texts["bundle"] = name + "_inputs";
  set(sop, "endframe", 1);
  sop.said.clear();
  sop.press("writebundle");
  if (sop.error() >= UT_ERROR_ABORT) print_said(sop);
  CLAIM(sop.error() < UT_ERROR_ABORT);
  tribo_scene *scene = nullptr;
  tribo_error err = {};
  const auto status = tribo_scene_read((name + "_inputs/scene.json").c_str(), &scene, &err);
  if (status) fprintf(stderr, "%s\n", err.message);
  CLAIM(status == TRIBO_OK);
  return scene;
}

static const tribo_object_def *object_of(const tribo_scene *scene, const char *name) {
  for (size_t i = 0; i < tribo_scene_object_count(scene); i++)
    if (strcmp(tribo_scene_object(scene, i)->name, name) == 0) return tribo_scene_object(scene, i);
  fprintf(stderr, "there is no object '%s'\n", name);
  CLAIM(false);
  return nullptr;
}

static void fill(GU_Detail &d, GA_AttributeOwner owner, const char *name, int width, float value) {
  for (float &x : d.add(owner, name, width, false)->reals) x = value;
}

static void open_is_cloth_and_closed_is_soft__in_z_up_and_wound_the_other_way() {
  auto sop = node();
  sop->inputs[0] = [](double, GU_Detail &d) {
    sheet(d, 3, 1, 1, 2, 3);
    box(d, 0.4f, 5, 0.5f, 0);
    return true;
  };
  set(*sop, "fill_from", 2);
  set(*sop, "fill_cells", 2);
  tribo_scene *scene = scene_of(*sop, "kinds");
  const tribo_object_def *cloth = object_of(scene, "cloth"), *soft = object_of(scene, "solid");
  CLAIM(cloth->kind == TRIBO_CLOTH && soft->kind == TRIBO_SOLID);
  CLAIM(cloth->vertex_count == 16 && cloth->triangle_count == 18);
  CLAIM(soft->vertex_count == 8 && soft->triangle_count == 12);
  CLAIM(cloth->positions[0] == 0.5 && cloth->positions[1] == -2.5 && cloth->positions[2] == 2);
  /* The front is outside: the volume by the divergence theorem is positive. */
  double volume = 0;
  for (size_t t = 0; t < soft->triangle_count; t++) {
    const double *a = soft->positions + 3 * soft->triangles[3 * t];
    const double *b = soft->positions + 3 * soft->triangles[3 * t + 1];
    const double *c = soft->positions + 3 * soft->triangles[3 * t + 2];
    volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0])) /
              6;
  }
  CLAIM(std::fabs(volume - 0.064) < 1e-6);
  CLAIM(tribo_scene_world(scene)->gravity[2] == -9.81 && tribo_scene_world(scene)->gravity[1] == 0);
  /* The material that the Blender add-on begins with, too. */
  CLAIM(cloth->cloth.density == 0.13 && cloth->object.drag == 1.2 && cloth->surface.mu == 0.5);
  tribo_scene_free(scene);
}

static void rigid_pieces_without_names__are_bodies_of_their_own() {
  auto sop = node();
  sop->inputs[0] = [](double, GU_Detail &d) {
    for (int i = 0; i < 3; i++) box(d, 0.4f, float(i), 0.5f, 0);
    return true;
  };
  set(*sop, "kind", 3);
  tribo_scene *scene = scene_of(*sop, "rigid");
  CLAIM(tribo_scene_object_count(scene) == 3);
  CLAIM(object_of(scene, "rigid_2")->vertex_count == 8);
  tribo_scene_free(scene);
}

static void attributes__reach_the_core() {
  auto sop = node();
  sop->inputs[0] = [](double, GU_Detail &d) {
    sheet(d, 3, 1, 0, 2, 0);
    fill(d, GA_ATTRIB_POINT, "friction", 1, 0.5f);
    d.find(GA_ATTRIB_POINT, "friction")->reals[5] = 2;
    fill(d, GA_ATTRIB_POINT, "thickness", 1, 0.25f);
    fill(d, GA_ATTRIB_POINT, "tribo_stiffness", 1, 0.75f);
    GA_Attribute *v = d.add(GA_ATTRIB_POINT, "v", 3, false);
    GA_Attribute *structure = d.add(GA_ATTRIB_POINT, "structure", 3, false);
    for (size_t i = 0; i < 16; i++) {
      v->reals[3 * i + 1] = 4;
      structure->reals[3 * i + 2] = 1;
    }
    fill(d, GA_ATTRIB_DETAIL, "tribo_cloth_stretch", 1, 4096);
    fill(d, GA_ATTRIB_DETAIL, "tribo_surface_mu", 1, 0.125f);
    d.add(GA_ATTRIB_DETAIL, "tribo_surface_contact", 1, true)->texts[0] = "mesh";
    d.add(GA_ATTRIB_DETAIL, "tribo_material", 1, true)->texts[0] = "silk";
    GA_Attribute *uv = d.add(GA_ATTRIB_VERTEX, "uv", 3, false);
    for (size_t i = 0; i < uv->reals.size(); i++) uv->reals[i] = float(i) / 256;
    return true;
  };
  tribo_scene *scene = scene_of(*sop, "attributes");
  const tribo_object_def *cloth = object_of(scene, "cloth");
  CLAIM(cloth->vertex_friction[0] == 0.5 && cloth->vertex_friction[5] == 2);
  CLAIM(cloth->surface.thickness == 0.25 && cloth->vertex_stiffness[3] == 0.75);
  CLAIM(cloth->object.velocity[2] == 4 && cloth->object.velocity[1] == 0);
  CLAIM(cloth->vertex_structure[0] == 0 && cloth->vertex_structure[1] == -1);
  CLAIM(cloth->cloth.stretch == 4096 && cloth->cloth.shear == 17 && cloth->surface.mu == 0.125);
  CLAIM(cloth->surface.contact == TRIBO_CONTACT_MESH && cloth->uvs);
  tribo_scene_free(scene);
}

static void pins_masses_and_groups__hold() {
  auto sop = node();
  sop->inputs[0] = [](double, GU_Detail &d) {
    sheet(d, 3, 1, 0, 2, 0);
    return true;
  };
  sop->inputs[1] = [](double frame, GU_Detail &d) {
    sheet(d, 3, 1, 0, 2, 0);
    fill(d, GA_ATTRIB_POINT, "pintoanimation", 1, 0);
    fill(d, GA_ATTRIB_POINT, "mass", 1, 1);
    fill(d, GA_ATTRIB_POINT, "stopped", 1, 0);
    d.find(GA_ATTRIB_POINT, "pintoanimation")->reals[0] = 1;
    d.find(GA_ATTRIB_POINT, "mass")->reals[12] = 0;
    d.find(GA_ATTRIB_POINT, "stopped")->reals[15] = 3;
    d.groups["held"].members = {3};
    d.getP()->reals[1] += float(frame - 1) * 0.01f;
    d.getP()->reals[10] += float(frame - 1) * 0.01f;
    return true;
  };
  sop->texts["pingroup"] = "held";
  CLAIM(sop->cook(5) < UT_ERROR_ABORT);
  const Positions x = positions(*sop);
  CLAIM(x[1] == 2.0f + 4 * 0.01f && x[3 * 3 + 1] == 2.0f + 4 * 0.01f); /* follow */
  CLAIM(x[3 * 12 + 1] == 2 && x[3 * 15 + 1] == 2);                     /* stay */
  CLAIM(x[3 * 5 + 1] < 1.99f);
}

static void packed_colliders__are_unpacked_where_they_are() {
  auto sop = node();
  sop->inputs[0] = [](double, GU_Detail &d) {
    sheet(d, 3, 1, 0, 2, 0);
    return true;
  };
  sop->inputs[2] = [](double, GU_Detail &d) {
    for (int i = 0; i < 2; i++) {
      auto *packed = static_cast<GU_PrimPacked *>(d.addPrimitive(HDK_PACKED, true, {}));
      packed->inside = std::make_shared<GU_Detail>();
      box(*packed->inside, 1, 0, 0, 0);
      packed->shift[0] = 10.0f * float(i);
    }
    GA_Attribute *name = d.add(GA_ATTRIB_PRIMITIVE, "name", 1, true);
    name->texts[0] = "/rock/left";
    sheet(d, 1, 5, 0, -1, 0);
    return true;
  };
  tribo_scene *scene = scene_of(*sop, "packed");
  CLAIM(object_of(scene, "rock_left")->vertex_count == 8);
  CLAIM(object_of(scene, "piece1")->positions[0] == 9.5);
  CLAIM(object_of(scene, "collider")->vertex_count == 4);
  tribo_scene_free(scene);
}

static void a_concave_polygon__is_cut_without_folding_over() {
  auto sop = node();
  sop->inputs[0] =
      [](double,
         GU_Detail &d) { /* an L of six corners, and a dart of four */
                         const float l[][2] = {{0, 0}, {0, 2}, {1, 2}, {1, 1}, {2, 1}, {2, 0}};
                         const float dart[][2] = {{5, 0}, {6, 1}, {5, 3}, {5.5f, 1}};
                         std::vector<exint> a, b;
                         for (const auto &p : l) a.push_back(point(d, p[0], 0, p[1]));
                         for (const auto &p : dart) b.push_back(point(d, p[0], 0, p[1]));
                         d.addPrimitive(GA_PRIMPOLY, true, a);
                         d.addPrimitive(GA_PRIMPOLY, true, b);
                         return true;
      };
  tribo_scene *scene = scene_of(*sop, "concave");
  const tribo_object_def *o = object_of(scene, "cloth");
  CLAIM(o->triangle_count == 4 + 2);
  double total = 0, sign[2] = {0, 0};
  for (size_t t = 0; t < o->triangle_count; t++) {
    const double *a = o->positions + 3 * o->triangles[3 * t];
    const double *b = o->positions + 3 * o->triangles[3 * t + 1];
    const double *c = o->positions + 3 * o->triangles[3 * t + 2];
    const double area = ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
    sign[t >= 4] += area > 0 ? 1 : -1;
    total += std::fabs(area);
  }
  CLAIM(std::fabs(sign[0]) == 4 && std::fabs(sign[1]) == 2 && std::fabs(total - (3 + 0.75)) < 1e-9);
  tribo_scene_free(scene);
}

static void curves__are_rods_and_hang() {
  auto sop = node();
  sop->inputs[0] = [](double, GU_Detail &d) {
    std::vector<exint> strand, ring;
    for (int i = 0; i < 12; i++) strand.push_back(point(d, 0.05f * float(i), 1, 0));
    for (int i = 0; i < 8; i++)
      ring.push_back(point(d, float(cos(i * M_PI / 4)) / 4, 2, float(sin(i * M_PI / 4)) / 4));
    d.addPrimitive(GA_PRIMPOLY, false, strand);
    d.addPrimitive(GA_PRIMPOLY, true, ring);
    d.add(GA_ATTRIB_PRIMITIVE, "tribo_kind", 1, true)->texts = {UT_StringHolder("rod"),
                                                                UT_StringHolder("rod")};
    fill(d, GA_ATTRIB_POINT, "thickness", 1, 0.015625f);
    fill(d, GA_ATTRIB_POINT, "pintoanimation", 1, 0);
    for (size_t i : {0, 1, 12, 13}) d.find(GA_ATTRIB_POINT, "pintoanimation")->reals[i] = 1;
    return true;
  };
  tribo_scene *scene = scene_of(*sop, "rods");
  const tribo_object_def *rod = object_of(scene, "rod");
  CLAIM(rod->kind == TRIBO_ROD && rod->vertex_count == 20 && rod->segment_count == 11 + 8);
  CLAIM(rod->rod.radius == 0.015625);
  tribo_scene_free(scene);
  if (sop->cook(4) >= UT_ERROR_ABORT) print_said(*sop);
  const Positions x = positions(*sop);
  CLAIM(x[1] == 1 && x[3 * 11 + 1] < 0.999f && x[3 * 11 + 1] > 0.5f);
  auto open = node(); /* without an attribute an open curve is one, too */
  open->inputs[0] = [](double, GU_Detail &d) {
    for (int i = 0; i < 3; i++) point(d, float(i), 0, 0);
    d.addPrimitive(GA_PRIMPOLY, false, {0, 1, 2});
    return true;
  };
  scene = scene_of(*open, "curve");
  CLAIM(object_of(scene, "rod")->segment_count == 2);
  tribo_scene_free(scene);
}

static void claim_refused(const hdk_input &geometry, const std::string &words) {
  auto sop = node();
  sop->inputs[0] = geometry;
  const OP_ERROR worst = sop->cook(3);
  if (!said(*sop, UT_ERROR_ABORT, words)) print_said(*sop);
  CLAIM(worst == UT_ERROR_ABORT && said(*sop, UT_ERROR_ABORT, words));
}

static void what_cannot_be__is_refused_with_place_and_remedy() {
  claim_refused([](double, GU_Detail &) { return true; }, "first input has no points");
  claim_refused(
      [](double, GU_Detail &d) {
        point(d, 0, 0, 0);
        return true;
      },
      "nothing to simulate");
  claim_refused(
      [](double, GU_Detail &d) {
        sheet(d, 2, 1, 0, 0, 0);
        d.getP()->reals[13] = NAN;
        return true;
      },
      "point 4");
  claim_refused(
      [](double, GU_Detail &d) {
        sheet(d, 2, 1, 0, 0, 0);
        GA_Attribute *name = d.add(GA_ATTRIB_PRIMITIVE, "name", 1, true);
        for (size_t i = 0; i < 4; i++) name->texts[i] = i < 2 ? "left" : "right";
        return true;
      },
      "belongs to 'left' and to 'right'");
  claim_refused(
      [](double, GU_Detail &d) {
        sheet(d, 2, 1, 0, 0, 0);
        d.add(GA_ATTRIB_DETAIL, "tribo_kind", 1, true)->texts[0] = "water";
        return true;
      },
      "tribo_kind is 'water'");
  claim_refused(
      [](double, GU_Detail &d) {
        sheet(d, 2, 1, 0, 0, 0);
        d.add(GA_ATTRIB_DETAIL, "tribo_material", 1, true)->texts[0] = "steel";
        return true;
      },
      "tribo_material 'steel' is no material of a cloth");
}

static void messages_of_the_core__speak_of_points_of_the_input() {
  /* Two cloths by name; the second has its own vertex 0 at point 9 of the input. */
  auto sop = node();
  sop->inputs[0] = [](double, GU_Detail &d) {
    sheet(d, 2, 1, 0, 1, 0);
    sheet(d, 2, 1, 3, 1, 0);
    GA_Attribute *name = d.add(GA_ATTRIB_PRIMITIVE, "name", 1, true);
    for (size_t i = 0; i < 8; i++) name->texts[i] = i < 4 ? "left" : "right";
    d.getP()->reals[3 * 10] = INFINITY;
    return true;
  };
  CLAIM(sop->cook(2) == UT_ERROR_ABORT);
  CLAIM(said(*sop, UT_ERROR_ABORT, "object 'right': point 10"));
}

static void other_primitives_and_unfit_constraints__are_told() {
  auto sop = node();
  sop->inputs[0] = [](double, GU_Detail &d) {
    sheet(d, 2, 1, 0, 1, 0);
    d.addPrimitive(HDK_SPHERE, true, {0});
    return true;
  };
  CLAIM(sop->cook(1) < UT_ERROR_ABORT && said(*sop, UT_ERROR_WARNING, "1 primitives are neither"));
  sop->inputs[1] = [](double, GU_Detail &d) {
    sheet(d, 1, 1, 0, 1, 0);
    return true;
  };
  CLAIM(sop->cook(1) == UT_ERROR_ABORT &&
        said(*sop, UT_ERROR_ABORT, "have 4 points and the geometry 9"));
}

static void a_fast_collider__is_told_with_the_substeps_it_takes() {
  auto sop = drape(4);
  sop->inputs[2] = [](double frame, GU_Detail &d) {
    ball(d, 0.3f, frame < 3 ? 0 : 2.0f * float(frame - 3), 0.4f, 0, 6);
    return true;
  };
  sop->cook(5);
  CLAIM(said(*sop, UT_ERROR_WARNING, "colliders or pins move at 48 m/s") &&
        said(*sop, UT_ERROR_WARNING, "Quality to Custom"));
}

static void a_frame_that_went_wrong__says_so_wherever_it_is_shown() {
  auto sop = node();
  sop->inputs[0] = [](double, GU_Detail &d) {
    sheet(d, 6, 1, 0, 1, 0);
    return true;
  };
  sop->inputs[2] = [](double frame, GU_Detail &d) { /* a ball that is thrown through */
                                                    ball(d, 0.2f, 0, 2.4f - 0.8f * float(frame), 0,
                                                         6);
                                                    return true;
  };
  set(*sop, "world_quality", 0);
  set(*sop, "world_method", 0);
  set(*sop, "time_substeps", 1);
  bool rough = false;
  for (int frame = 1; frame <= 4; frame++) {
    sop->cook(frame);
    rough = rough || said(*sop, UT_ERROR_WARNING, "is rough: ");
  }
  if (!rough) print_said(*sop);
  CLAIM(rough);
}

static void the_dialog__has_every_parameter_of_the_core_once() {
  auto sop = node();
  size_t count, found = 0;
  const tribo_param_info *table = tribo_param_table(&count);
  for (size_t i = 0; i < count; i++)
    for (const hdk_parm &p : hdk::parms())
      found += p.name == std::string(table[i].group) + "_" + table[i].name;
  CLAIM(found + 3 == count); /* start, end and fps are the timeline's */
}

int main() {
  open_is_cloth_and_closed_is_soft__in_z_up_and_wound_the_other_way();
  rigid_pieces_without_names__are_bodies_of_their_own();
  attributes__reach_the_core();
  pins_masses_and_groups__hold();
  packed_colliders__are_unpacked_where_they_are();
  a_concave_polygon__is_cut_without_folding_over();
  curves__are_rods_and_hang();
  what_cannot_be__is_refused_with_place_and_remedy();
  messages_of_the_core__speak_of_points_of_the_input();
  other_primitives_and_unfit_constraints__are_told();
  a_fast_collider__is_told_with_the_substeps_it_takes();
  a_frame_that_went_wrong__says_so_wherever_it_is_shown();
  the_dialog__has_every_parameter_of_the_core_once();
  puts("all claims hold");
  return 0;
}
