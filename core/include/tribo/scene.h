/* Tribo: what to simulate. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A scene is a description: settings and objects, from arrays or from a scene file. It copies what
 * it is given. Units are SI, z is up, triangles and tets index the object's own vertices from 0.
 */
#ifndef TRIBO_SCENE_H
#define TRIBO_SCENE_H

#include "tribo/base.h"
#include "tribo/params.inl"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- parameters -------------------------------------------------------------------------------
 * One struct a group of params.inl: tribo_world_params, tribo_time_params, tribo_solver_params,
 * tribo_object_params, tribo_solid_params, tribo_fill_params, tribo_cloth_params,
 * tribo_rigid_params, tribo_rod_params, tribo_surface_params, tribo_maps_params,
 * tribo_combine_params, tribo_friction_params, tribo_pin_params. */

#define TRIBO_FIELD_REAL(name, value, low, high, unit, help) double name;
#define TRIBO_FIELD_INT(name, value, low, high, unit, help)  int name;
#define TRIBO_FIELD_VEC3(name, x, y, z, unit, help)          double name[3];
#define TRIBO_FIELD_CHOICE(name, value, choices, help)       int name;
#define TRIBO_DECLARE_GROUP(table, group, place, title)                                            \
  typedef struct tribo_##group##_params {                                                          \
    table(TRIBO_FIELD_REAL, TRIBO_FIELD_INT, TRIBO_FIELD_VEC3, TRIBO_FIELD_CHOICE)                 \
  } tribo_##group##_params;                                                                        \
  TRIBO_API tribo_##group##_params tribo_##group##_defaults(void);
TRIBO_PARAM_GROUPS(TRIBO_DECLARE_GROUP)
#undef TRIBO_DECLARE_GROUP
#undef TRIBO_FIELD_REAL
#undef TRIBO_FIELD_INT
#undef TRIBO_FIELD_VEC3
#undef TRIBO_FIELD_CHOICE

/* Values of the choices, in the order of the tables. */
enum {
  TRIBO_METHOD_FORWARDING,
  TRIBO_METHOD_ELASTIC,
  TRIBO_METHOD_PROJECTIVE,
  TRIBO_METHOD_BARRIER
};
enum { TRIBO_QUALITY_CUSTOM, TRIBO_QUALITY_PREVIEW, TRIBO_QUALITY_GOOD, TRIBO_QUALITY_FINAL };
enum { TRIBO_BACKEND_NATIVE, TRIBO_BACKEND_IPOPT };
enum { TRIBO_EFFECTIVE_MASS_ELASTIC, TRIBO_EFFECTIVE_MASS_LUMPED };
enum { TRIBO_FORWARDING_ON, TRIBO_FORWARDING_OFF };
enum { TRIBO_TRANSPORT_RIGID, TRIBO_TRANSPORT_PARALLEL, TRIBO_TRANSPORT_PLAIN };
enum {
  TRIBO_CONTACT_AUTO,
  TRIBO_CONTACT_MLS,
  TRIBO_CONTACT_MESH,
  TRIBO_CONTACT_PLANE,
  TRIBO_CONTACT_SPHERE,
  TRIBO_CONTACT_CAPSULE,
  TRIBO_CONTACT_BOX,
  TRIBO_CONTACT_NONE
};
enum { TRIBO_ROLE_AUTO, TRIBO_ROLE_POINTS, TRIBO_ROLE_SURFACE, TRIBO_ROLE_BOTH };
enum { TRIBO_SIDES_AUTO, TRIBO_SIDES_BOTH, TRIBO_SIDES_FRONT };
enum { TRIBO_KERNEL_CUBIC, TRIBO_KERNEL_INTERPOLATING };
enum { TRIBO_WRAP_AUTO, TRIBO_WRAP_REPEAT, TRIBO_WRAP_CLAMP };
enum {
  TRIBO_CHANNEL_LUMINANCE,
  TRIBO_CHANNEL_R,
  TRIBO_CHANNEL_G,
  TRIBO_CHANNEL_B,
  TRIBO_CHANNEL_A
};
enum {
  TRIBO_COMBINE_GEOMETRIC_MEAN,
  TRIBO_COMBINE_AVERAGE,
  TRIBO_COMBINE_MINIMUM,
  TRIBO_COMBINE_MAXIMUM,
  TRIBO_COMBINE_PRODUCT
};
enum { TRIBO_LINEAR_AUTO, TRIBO_LINEAR_CHOLMOD, TRIBO_LINEAR_PARDISO, TRIBO_LINEAR_CG };
enum { TRIBO_CROSSINGS_AUTO, TRIBO_CROSSINGS_EVERY, TRIBO_CROSSINGS_LAST, TRIBO_CROSSINGS_OFF };
enum { TRIBO_ON_FAILURE_STOP, TRIBO_ON_FAILURE_CONTINUE };
enum { TRIBO_SOLID_STABLE_NEO_HOOKEAN, TRIBO_SOLID_NEO_HOOKEAN };
enum { TRIBO_TETS_AUTO, TRIBO_TETS_FILL, TRIBO_TETS_LATTICE };
enum { TRIBO_ROD_REST_MESH, TRIBO_ROD_REST_STRAIGHT };
enum { TRIBO_REST_ANGLE_MESH, TRIBO_REST_ANGLE_FLAT };
enum { TRIBO_WARP_FROM_AXIS, TRIBO_WARP_FROM_UV };

typedef enum tribo_param_kind {
  TRIBO_PARAM_REAL,
  TRIBO_PARAM_INT,
  TRIBO_PARAM_VEC3,
  TRIBO_PARAM_CHOICE
} tribo_param_kind;

/* One row of the tables, for programs that build an interface from them. */
typedef struct tribo_param_info {
  const char *group; /* "cloth" */
  const char *place; /* where the key stands in the scene file: "objects[].elastic" */
  const char *name;  /* "stretch" */
  tribo_param_kind kind;
  size_t offset;       /* of the field in its group's struct */
  double value[3];     /* the default; only a VEC3 uses all three */
  double low, high;    /* of REAL and INT */
  const char *unit;    /* "" where there is none */
  const char *choices; /* "mesh|flat" of a CHOICE */
  const char *help;
} tribo_param_info;

TRIBO_API const tribo_param_info *tribo_param_table(size_t *count);

/* Sets one field of a group's struct from text, as tribo_scene_set does for settings: group
 * "cloth", name "stretch", value "2e3", params a tribo_cloth_params. A refused value changes
 * nothing. */
TRIBO_API tribo_status tribo_param_set(const char *group, const char *name, const char *value,
                                       void *params, tribo_error *err);

/* The reference of the scene file, docs/scene.md, as Markdown made from these tables. Free with
 * free(). */
TRIBO_API tribo_status tribo_scene_reference(char **markdown, tribo_error *err);

/* ---- objects ----------------------------------------------------------------------------------
 */

/* A collider is not simulated: it stands still, or moves as its motion says, and has no file in the
 * cache. The others are simulated. Append only. */
typedef enum tribo_kind {
  TRIBO_CLOTH,
  TRIBO_SOLID,
  TRIBO_RIGID,
  TRIBO_COLLIDER,
  TRIBO_ROD
} tribo_kind;

/* The elements that the mesh of a kind has. */
typedef enum tribo_kind_mesh {
  TRIBO_MESH_TRIANGLES,
  TRIBO_MESH_TETS,
  TRIBO_MESH_SEGMENTS
} tribo_kind_mesh;

/* One row of the table of kinds, for programs that build an interface from it. */
typedef struct tribo_kind_info {
  tribo_kind kind;
  const char *name;    /* "cloth", as in scene files and caches */
  const char *article; /* "a cloth", as in messages */
  const char *about;   /* "a surface of triangles." */
  const char *group;   /* "cloth": its parameters besides those of every object; NULL: none */
  const char *key;     /* "elastic": the key of objects[] they stand under; NULL: none */
  tribo_kind_mesh mesh;
  bool simulated; /* false: it is where it is told to be, and has no file in the cache */
  bool deforms;   /* by what is solved; what is given may deform by its motion */
  bool turns;     /* it has an orientation that is solved for */
  bool sheet;     /* its triangles are its matter: it has no inside */
  bool pinnable;  /* takes pins */
  bool feels_air; /* takes drag */
  int contact;    /* TRIBO_CONTACT_*: what surface.contact "auto" is; AUTO: its mesh decides */
  int role;       /* TRIBO_ROLE_*: what surface.role "auto" is, unless a contact is asked for */
} tribo_kind_info;

/* The row of a tribo_kind; NULL past the last. */
TRIBO_API const tribo_kind_info *tribo_kind_at(size_t number);

/* Vertices held at a target. A vertex in a cage is held by the nodes that carry it (docs/tets.md).
 * Without targets they stay where they are; with targets they follow
 * them, linearly between samples, and rest at the first and last outside. */
typedef struct tribo_pin_def {
  const int32_t *vertices;
  size_t vertex_count;
  const double *targets; /* target_count x vertex_count x 3, or NULL */
  size_t target_count;
  double target_start;    /* frame of the first sample */
  double target_interval; /* frames between samples, above 0 */
  tribo_pin_params params;
} tribo_pin_def;

/* How a collider moves: a transform a sample, or all its vertices a sample. Linear between samples
 * (transforms: translation and columns linearly, rotation along the shortest arc); at rest before
 * the first and after the last. */
typedef struct tribo_motion_def {
  const double *transforms; /* sample_count x 16, row-major, from positions to the world; or NULL */
  const double *points;     /* sample_count x vertex_count x 3, world space; or NULL */
  size_t sample_count;      /* 0: stands still */
  double start;             /* frame of the first sample */
  double interval;          /* frames between samples, above 0 */
} tribo_motion_def;

/* When a collider is there; while it is not, nobody touches it. It is there from the first frame of
 * a range on, and no longer at the second. A step has it if it is there when the step ends
 * (docs/contact.md). */
typedef struct tribo_presence_def {
  bool limited; /* false: it is always there, and the rest is not looked at */
  const double
      *ranges;        /* range_count x 2, each after the one before; the last may end at INFINITY */
  size_t range_count; /* 0: never there */
} tribo_presence_def;

/* A picture over the UVs of an object (docs/maps.md), of numbers as they are: no colour management.
 * (0, 0) of the UVs is its lower left corner. */
typedef struct tribo_map_def {
  const float *pixels; /* height x width x channels, the top row first; NULL: no map */
  int32_t width, height;
  int32_t channels; /* 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA */
} tribo_map_def;

typedef struct tribo_object_def {
  const char *name; /* names the object in messages and its file in the cache; unique */
  tribo_kind kind;
  const double *positions; /* 3 a vertex, metres: the rest shape and the start */
  size_t vertex_count;
  const int32_t *triangles; /* cloth, rigid and collider: 3 a triangle, wound so that the front is
                               outside; a solid's skin when it has cage nodes */
  size_t triangle_count;
  const double *uvs;   /* optional, with triangles: 2 a triangle corner */
  const int32_t *tets; /* solid: 4 a tet, the fourth on the side the first three wind around */
  size_t tet_count;
  const double *cage; /* solid, optional: 3 a node. The tets then index these nodes, and positions
                         and triangles are a surface that is carried along inside the tets */
  size_t cage_count;
  const int32_t
      *segments; /* rod: 2 vertices a segment. Strands are what segments join; a vertex has
                    one or two; an open strand begins at its end with the lower number */
  size_t segment_count;
  const tribo_pin_def *pins;
  size_t pin_count;
  tribo_motion_def motion;     /* collider */
  tribo_presence_def presence; /* collider */
  const char *material;        /* for the friction pairs; NULL: the object's name serves */
  /* What is painted on it (docs/maps.md): a structure, from a map over the UVs or a direction a
   * vertex; a multiplier of friction, from a map or a number a vertex. All optional. */
  tribo_map_def structure_map;    /* red and green: s = (2r-1) t + (2g-1) b */
  tribo_map_def friction_map;     /* see maps.friction_channel and maps.friction_scale */
  const double *vertex_structure; /* 3 a vertex, in the space of positions; sign and length do not
                                     matter, but below 0.1 it is none */
  const double *vertex_friction;  /* 1 a vertex, from 0 */
  /* cloth, solid and rod, optional: 1 a vertex, a multiplier of all elastic stiffness (stretch,
   * shear and bend; young). An element has the mean of its corners. */
  const double *vertex_stiffness;
  tribo_object_params object;
  tribo_cloth_params cloth;
  tribo_solid_params solid;
  tribo_rigid_params rigid;
  tribo_rod_params rod;
  tribo_surface_params surface;
  tribo_maps_params maps;
} tribo_object_def;

/* All parameters at their defaults, no geometry. */
TRIBO_API tribo_object_def tribo_object_default(tribo_kind kind);

/* The mass of an object, kg: its parameters times the area or volume of its mesh. 0 of a kind that
 * is not simulated. The object is whole and was checked, as one of a scene is. */
TRIBO_API double tribo_object_mass(const tribo_object_def *def);

/* ---- tets from a surface ----------------------------------------------------------------------
 */

/* The cage of a solid that came as a surface. */
typedef struct tribo_tets {
  double *nodes; /* 3 a node; fill: the surface's vertices, in order, then those inside */
  size_t node_count;
  int32_t *tets; /* 4 a tet */
  size_t tet_count;
  int from;                     /* what was done: TRIBO_TETS_FILL or TRIBO_TETS_LATTICE */
  int cells;                    /* of a lattice, along the longest side; 0 of a fill */
  char why[TRIBO_MESSAGE_SIZE]; /* why auto took the lattice; "" where it did not */
} tribo_tets;

/* Makes tets from the name, positions and triangles of `surface`. The caller puts them into a def
 * as cage and tets, beside the same positions and triangles: the vertices stay those of the
 * artist's mesh, in number and order, and so does the cache. Free with tribo_tets_free, once the
 * object was added.
 *
 * TRIBO_BAD_INPUT where the surface cannot be filled and from is fill, with the place of the first
 * fault; TRIBO_UNAVAILABLE where TetGen is missing, for auto too: what comes out must not depend on
 * the machine. */
TRIBO_API tribo_status tribo_fill_tets(const tribo_object_def *surface,
                                       const tribo_fill_params *params, tribo_tets *out,
                                       tribo_error *err);
TRIBO_API void tribo_tets_free(tribo_tets *tets);

/* ---- the scene --------------------------------------------------------------------------------
 */

typedef struct tribo_scene tribo_scene;

TRIBO_API tribo_status tribo_scene_create(tribo_scene **out, tribo_error *err);
TRIBO_API void tribo_scene_free(tribo_scene *scene);

/* Reads a scene file (docs/scene.md) and the meshes it names. */
TRIBO_API tribo_status tribo_scene_read(const char *path, tribo_scene **out, tribo_error *err);

/* Writes folder/scene.json and the meshes beside it: a bundle that tribo_scene_read and `tribo
 * bake` take, with the same results to the bit. */
TRIBO_API tribo_status tribo_scene_write(const tribo_scene *scene, const char *folder,
                                         tribo_error *err);

/* Copies and checks; a refused object leaves the scene as it was. index may be NULL. */
TRIBO_API tribo_status tribo_scene_add(tribo_scene *scene, const tribo_object_def *def,
                                       size_t *index, tribo_error *err);

/* The same for a solid that is a surface without tets: they are made as by tribo_fill_tets, and
 * tribo_scene_note says what was done that nobody asked for. */
TRIBO_API tribo_status tribo_scene_add_filled(tribo_scene *scene, const tribo_object_def *surface,
                                              const tribo_fill_params *fill, size_t *index,
                                              tribo_error *err);

/* The friction between two materials or objects, by name; a later call for the same pair, in either
 * order, replaces the earlier. A name that no object bears is refused when a simulation is made. */
TRIBO_API tribo_status tribo_scene_set_pair(tribo_scene *scene, const char *a, const char *b,
                                            const tribo_friction_params *friction,
                                            tribo_error *err);

/* Settings, to be changed in place before a simulation is made; but with a quality, method and
 * substeps count only where tribo_scene_set or the scene file gave them. */
TRIBO_API tribo_friction_params *tribo_scene_friction(tribo_scene *scene); /* without a pair */
TRIBO_API tribo_combine_params *tribo_scene_combine(tribo_scene *scene);
TRIBO_API tribo_world_params *tribo_scene_world(tribo_scene *scene);
TRIBO_API tribo_time_params *tribo_scene_time(tribo_scene *scene);
TRIBO_API tribo_solver_params *tribo_scene_solver(tribo_scene *scene);

/* Sets one setting from text: key "time.substeps" or "gravity", value as in the scene file. */
TRIBO_API tribo_status tribo_scene_set(tribo_scene *scene, const char *key, const char *value,
                                       tribo_error *err);

/* What a bake of the scene is made with: as its quality chooses (docs/quality.md), or as given. */
typedef struct tribo_choice {
  int quality;      /* TRIBO_QUALITY_CUSTOM: nothing is chosen */
  int method;       /* TRIBO_METHOD_PROJECTIVE */
  int substeps;     /* a frame */
  double thickness; /* the largest of what is simulated, m */
  double speed;     /* that the substeps are for, m/s; 0 where nothing is chosen */
} tribo_choice;

/* thickness: one for each object, m; may be NULL. */
TRIBO_API tribo_status tribo_scene_choice(const tribo_scene *scene, tribo_choice *out,
                                          double *thickness, tribo_error *err);

TRIBO_API size_t tribo_scene_object_count(const tribo_scene *scene);

/* A hash of everything that the motion depends on, to the last bit: scenes of one hash bake to the
 * same numbers. time.end is not in it, so that a bake can be made longer. */
TRIBO_API uint64_t tribo_scene_hash(const tribo_scene *scene);

/* What tribo_scene_read and tribo_scene_add_filled did with an object and were not asked for: why
 * its surface got a lattice. NULL: nothing. Belongs to the scene. */
TRIBO_API const char *tribo_scene_note(const tribo_scene *scene, size_t object);

/* The object as it was added; pointers belong to the scene. */
TRIBO_API const tribo_object_def *tribo_scene_object(const tribo_scene *scene, size_t index);

/* What contact sees of an object, for programs that show it. */
typedef struct tribo_outline {
  int contact;           /* TRIBO_CONTACT_*: the shape that others touch, "auto" decided */
  bool is_touched;       /* others touch its surface */
  bool touches;          /* its vertices touch the surfaces of others */
  bool closed;           /* every edge has two triangles, wound against each other */
  bool two_sided;        /* touched from both sides */
  size_t triangle_count; /* of its surface, a solid's being that of its tets */
  size_t flat_count;     /* triangles left out of it because they have no area */
  size_t vertex_count;   /* on those triangles */
  double spacing;        /* mean length of their sides, metres */
} tribo_outline;

TRIBO_API tribo_status tribo_scene_outline(const tribo_scene *scene, size_t index,
                                           tribo_outline *out, tribo_error *err);

/* Whether two objects can touch with the scene's method; a == b: whether it touches itself. */
TRIBO_API tribo_status tribo_scene_meet(const tribo_scene *scene, size_t a, size_t b, bool *out,
                                        tribo_error *err);

/* What can be simulated, but is hardly meant. */
typedef enum tribo_doubt_kind {
  TRIBO_DOUBT_PIECES,     /* `count` edges of the mesh in one place with others, not joined */
  TRIBO_DOUBT_WINDING,    /* `count` of `of` triangles are wound against the others */
  TRIBO_DOUBT_INSIDE_OUT, /* `count` of `of` closed parts have their front inside */
  TRIBO_DOUBT_LARGE,      /* simulated, and `metres` across */
  TRIBO_DOUBT_SMALL,
  TRIBO_DOUBT_UNSEEN, /* object and other, simulated both, pass through each other */
  TRIBO_DOUBT_HOLES,  /* a rigid body's mesh has `count`, which count as closed; a note */
  TRIBO_DOUBT_SOFT,   /* `count` soft bodies, up to `other`, cannot stand: `metres` could */
  TRIBO_DOUBT_TWINS,  /* object and other, simulated both, lie in one place at `count` vertices */
  TRIBO_DOUBT_HELD,   /* all `count` vertices are pinned: nothing of it is simulated */
  TRIBO_DOUBT_IDLE,   /* a collider that nothing touches, by its surface.contact */
  TRIBO_DOUBT_FALLS   /* nothing below can hold it; a note */
} tribo_doubt_kind;

typedef struct tribo_doubt {
  tribo_doubt_kind kind;
  size_t object, other; /* by their numbers in the scene */
  size_t count, of;     /* PIECES: of: pieces that are connected; UNSEEN: count: pairs not listed */
  double metres;        /* PIECES: within which vertices count as one place */
  char message[TRIBO_MESSAGE_SIZE]; /* a sentence, the warning or note that a simulation begins with
                                     */
} tribo_doubt;

/* All doubts about a scene, in the order of its objects; free with free(). A simulation tells them
 * to its log when it is made. */
TRIBO_API tribo_status tribo_scene_doubts(const tribo_scene *scene, tribo_doubt **out,
                                          size_t *count, tribo_error *err);

/* What is painted on an object. */
typedef struct tribo_paint {
  bool structure, friction; /* it has them, from a map or by vertex */
  double least, most;       /* friction: the multipliers */
  size_t islands;           /* structure_map: parts of the surface that lie together in the UVs, */
  size_t mirrored;          /* triangles that lie mirrored in them, */
  size_t flat, first_flat;  /* and those without area there, which have no structure; the first */
} tribo_paint;

TRIBO_API tribo_status tribo_scene_paint(const tribo_scene *scene, size_t index, tribo_paint *out,
                                         tribo_error *err);

/* The surface of an object that others touch, as contact sees it at the first frame: a mesh to look
 * at. */
typedef struct tribo_skin {
  double *positions; /* 3 a vertex, in the world */
  /* a vertex: 0 fine; 1 thin: fewer than three samples blend there; 2 a hole: nothing to
   * touch, or the mesh where the smooth surface lies off it */
  uint8_t *thin;
  size_t vertex_count;
  int32_t *triangles;
  size_t triangle_count;
} tribo_skin;

/* spacing: sides of the triangles at most, in metres; 0: the mesh that the surface is made from.
 * TRIBO_BAD_INPUT for an object whose surface nobody touches. Free with tribo_skin_free. */
TRIBO_API tribo_status tribo_scene_skin(const tribo_scene *scene, size_t index, double spacing,
                                        tribo_skin *out, tribo_error *err);
TRIBO_API void tribo_skin_free(tribo_skin *skin);

/* Reads a PNG or EXR file for structure_map or friction_map; free with tribo_map_free once the
 * object was added. */
TRIBO_API tribo_status tribo_map_read(const char *path, tribo_map_def *out, tribo_error *err);
TRIBO_API void tribo_map_free(tribo_map_def *map);

/* Coulomb's coefficient between two objects, from pairs, objects and default (docs/friction.md). */
TRIBO_API tribo_status tribo_scene_mu(const tribo_scene *scene, size_t a, size_t b, double *mu,
                                      tribo_error *err);

/* The same with all there is to their friction: no value of `out` is left open (-1). */
TRIBO_API tribo_status tribo_scene_pair_friction(const tribo_scene *scene, size_t a, size_t b,
                                                 tribo_friction_params *out, tribo_error *err);

#ifdef __cplusplus
}
#endif

#endif
