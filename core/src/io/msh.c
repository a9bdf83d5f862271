/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/msh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/number.h"
#include "io/scan.h"

/* What a record takes at the least ("1 0 0 0\n", "1 1\n"): a bound on how many can follow. */
enum { SMALLEST_NODE = 8, SMALLEST_ELEMENT = 4 };

/* Gmsh's element types. */
enum { TRIANGLE = 2, TET = 4 };

#define SAVE_ADVICE                                                                                \
  "save it from Gmsh as 'Version 4 ASCII' (Mesh.MshFileVersion = 4.1; Mesh.Binary = 0)"

typedef struct node {
  int64_t tag;
  int32_t index;
  uint32_t line;
} node;

typedef struct reader {
  scan text;
  int version; /* 22 or 41; 0: not known yet */
  bool nodes_read, consecutive;
  ARRAY(node) nodes; /* by tag, once read */
  ARRAY(double) positions;
  ARRAY(int32_t) triangles;
  ARRAY(int32_t) tets;
  int64_t passed_over, passed_type; /* elements of other types, and the type of the first */
} reader;

static void reader_free(reader *r) {
  ARRAY_FREE(r->nodes);
  ARRAY_FREE(r->positions);
  ARRAY_FREE(r->triangles);
  ARRAY_FREE(r->tets);
}

/* On to the next line that is not blank. */
static tribo_status next_record(reader *r, const char *section, tribo_error *err) {
  while (scan_line(&r->text)) {
    scan ahead = r->text;
    scan_word word;
    if (!scan_next(&ahead, &word)) continue;
    if (word.text[0] == '$')
      return scan_fail(&r->text, err, "section %s ends too early, at %s", section,
                       scan_quoted(word).text);
    return TRIBO_OK;
  }
  return scan_fail(&r->text, err, "the file ends inside section %s; it is cut off", section);
}

static tribo_status read_int(reader *r, const char *what, int64_t *out, tribo_error *err) {
  scan_word word;
  if (scan_int(&r->text, &word, out)) return TRIBO_OK;
  return scan_fail(&r->text, err, "expected %s, a whole number, but found %s", what,
                   scan_quoted(word).text);
}

static tribo_status read_count(reader *r, const char *what, size_t smallest, size_t *out,
                               tribo_error *err) {
  int64_t claim;
  TRY(read_int(r, what, &claim, err));
  if (claim < 0 || claim > INT32_MAX)
    return scan_fail(&r->text, err, "%s is %lld; it must lie between 0 and %d", what,
                     (long long)claim, INT32_MAX);
  size_t left = (size_t)(r->text.end - r->text.at);
  if ((size_t)claim > left / smallest)
    return scan_fail(&r->text, err,
                     "%s is %lld, but only %zu bytes follow; the file is cut off or damaged", what,
                     (long long)claim, left);
  *out = (size_t)claim;
  return TRIBO_OK;
}

static tribo_status end_section(reader *r, const char *end, tribo_error *err) {
  scan_word word = {0};
  while (scan_line(&r->text) && !scan_next(&r->text, &word)) continue;
  if (scan_is(word, end)) return TRIBO_OK;
  return scan_fail(&r->text, err, "expected %s, but found %s; is a count too small?", end,
                   scan_quoted(word).text);
}

static tribo_status read_format(reader *r, tribo_error *err) {
  scan_word version;
  int64_t binary;
  TRY(next_record(r, "$MeshFormat", err));
  scan_next(&r->text, &version);
  TRY(read_int(r, "the file type", &binary, err));
  if (scan_is(version, "2.2"))
    r->version = 22;
  else if (scan_is(version, "4.1"))
    r->version = 41;
  else
    return scan_fail(&r->text, err, "MSH version %s is not supported, only 2.2 and 4.1; %s",
                     scan_quoted(version).text, SAVE_ADVICE);
  if (binary)
    return scan_fail(&r->text, err, "binary MSH files are not supported; %s", SAVE_ADVICE);
  return end_section(r, "$EndMeshFormat", err);
}

static tribo_status push_tag(reader *r, int64_t tag, tribo_error *err) {
  uint32_t line = r->text.line < UINT32_MAX ? (uint32_t)r->text.line : UINT32_MAX;
  node n = {tag, (int32_t)r->nodes.count, line};
  return ARRAY_PUSH(r->nodes, n) ? TRIBO_OK : status_no_memory(err, r->text.name);
}

static tribo_status read_position(reader *r, int64_t tag, tribo_error *err) {
  if (!ARRAY_RESERVE(r->positions, r->positions.count + 3))
    return status_no_memory(err, r->text.name);
  for (int i = 0; i < 3; i++) {
    scan_word word;
    double value;
    if (!scan_double(&r->text, &word, &value) || !isfinite(value))
      return scan_fail(&r->text, err,
                       "node %lld has the %c coordinate %s; it must be a finite number",
                       (long long)tag, "xyz"[i], scan_quoted(word).text);
    r->positions.data[r->positions.count++] = value;
  }
  return TRIBO_OK;
}

/* 2.2: a count, then "tag x y z" a line. */
static tribo_status read_nodes_22(reader *r, size_t count, tribo_error *err) {
  for (size_t i = 0; i < count; i++) {
    int64_t tag;
    TRY(next_record(r, "$Nodes", err));
    TRY(read_int(r, "a node's tag", &tag, err));
    TRY(push_tag(r, tag, err));
    TRY(read_position(r, tag, err));
  }
  return TRIBO_OK;
}

/* 4.1: blocks of "dimension entity parametric count", the tags, then the coordinates (followed by
 * parameters on the entity, which are passed over). */
static tribo_status read_nodes_41(reader *r, size_t blocks, size_t count, tribo_error *err) {
  for (size_t b = 0; b < blocks; b++) {
    int64_t entity, tag;
    size_t in_block, first = r->nodes.count;
    TRY(next_record(r, "$Nodes", err));
    for (int i = 0; i < 3; i++) TRY(read_int(r, "a block's entity", &entity, err));
    TRY(read_count(r, "the number of nodes in a block", SMALLEST_NODE, &in_block, err));
    if (in_block > count - first)
      return scan_fail(&r->text, err, "the blocks so far hold %zu nodes, but $Nodes announced %zu",
                       first + in_block, count);
    for (size_t i = 0; i < in_block; i++) {
      TRY(next_record(r, "$Nodes", err));
      TRY(read_int(r, "a node's tag", &tag, err));
      TRY(push_tag(r, tag, err));
    }
    for (size_t i = 0; i < in_block; i++) {
      TRY(next_record(r, "$Nodes", err));
      TRY(read_position(r, r->nodes.data[first + i].tag, err));
    }
  }
  if (r->nodes.count != count)
    return scan_fail(&r->text, err, "the blocks hold %zu nodes, but $Nodes announced %zu",
                     r->nodes.count, count);
  return TRIBO_OK;
}

static int by_tag(const void *left, const void *right) {
  const node *a = left, *b = right;
  if (a->tag != b->tag) return a->tag < b->tag ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

/* Files as Gmsh writes them count their tags up one by one; others are sorted for the search. */
static tribo_status index_nodes(reader *r, tribo_error *err) {
  node *nodes = r->nodes.data;
  r->consecutive = true;
  for (size_t i = 1; i < r->nodes.count && r->consecutive; i++)
    r->consecutive = nodes[i - 1].tag < INT64_MAX && nodes[i].tag == nodes[i - 1].tag + 1;
  if (r->consecutive) return TRIBO_OK;
  qsort(nodes, r->nodes.count, sizeof *nodes, by_tag);
  for (size_t i = 1; i < r->nodes.count; i++)
    if (nodes[i].tag == nodes[i - 1].tag)
      return scan_fail_at(&r->text, nodes[i].line, err,
                          "node tag %lld was used before, in line %lu; tags must differ",
                          (long long)nodes[i].tag, (unsigned long)nodes[i - 1].line);
  return TRIBO_OK;
}

static bool find_node(const reader *r, int64_t tag, int32_t *index) {
  if (!r->nodes.count || tag < r->nodes.data[0].tag || tag > r->nodes.data[r->nodes.count - 1].tag)
    return false;
  if (r->consecutive) {
    *index = (int32_t)(tag - r->nodes.data[0].tag);
    return true;
  }
  size_t low = 0, high = r->nodes.count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (r->nodes.data[middle].tag <= tag)
      low = middle;
    else
      high = middle;
  }
  *index = r->nodes.data[low].index;
  return r->nodes.data[low].tag == tag;
}

static tribo_status read_nodes(reader *r, tribo_error *err) {
  if (r->nodes_read) return scan_fail(&r->text, err, "a second $Nodes section; only one may be");
  r->nodes_read = true;
  size_t blocks = 0, count = 0;
  TRY(next_record(r, "$Nodes", err));
  if (r->version == 41)
    TRY(read_count(r, "the number of node blocks", SMALLEST_NODE, &blocks, err));
  TRY(read_count(r, "the number of nodes", SMALLEST_NODE, &count, err));
  if (!ARRAY_RESERVE(r->nodes, count) || !ARRAY_RESERVE(r->positions, 3 * count))
    return status_no_memory(err, r->text.name);
  TRY(r->version == 41 ? read_nodes_41(r, blocks, count, err) : read_nodes_22(r, count, err));
  TRY(end_section(r, "$EndNodes", err));
  return index_nodes(r, err);
}

/* The nodes of an element, up to the end of its line. */
static tribo_status read_element(reader *r, int64_t tag, int64_t type, tribo_error *err) {
  if (type != TRIANGLE && type != TET) {
    if (!r->passed_over++) r->passed_type = type;
    return TRIBO_OK;
  }
  size_t corners = type == TET ? 4 : 3;
  for (size_t i = 0; i < corners; i++) {
    int64_t wanted;
    int32_t index;
    TRY(read_int(r, "an element's node", &wanted, err));
    if (!find_node(r, wanted, &index))
      return scan_fail(&r->text, err, "element %lld uses node %lld, which $Nodes does not define",
                       (long long)tag, (long long)wanted);
    bool kept = type == TET ? ARRAY_PUSH(r->tets, index) : ARRAY_PUSH(r->triangles, index);
    if (!kept) return status_no_memory(err, r->text.name);
  }
  scan_word more;
  if (scan_next(&r->text, &more))
    return scan_fail(&r->text, err, "element %lld has %s after its %zu nodes", (long long)tag,
                     scan_quoted(more).text, corners);
  return TRIBO_OK;
}

/* 2.2: "tag type tags tag... node..." a line. */
static tribo_status read_elements_22(reader *r, size_t count, tribo_error *err) {
  for (size_t i = 0; i < count; i++) {
    int64_t tag, type, tags, ignored;
    TRY(next_record(r, "$Elements", err));
    TRY(read_int(r, "an element's tag", &tag, err));
    TRY(read_int(r, "an element's type", &type, err));
    TRY(read_int(r, "an element's number of tags", &tags, err));
    if (tags < 0)
      return scan_fail(&r->text, err, "element %lld announces %lld tags", (long long)tag,
                       (long long)tags);
    for (int64_t k = 0; k < tags; k++) TRY(read_int(r, "an element's tag", &ignored, err));
    TRY(read_element(r, tag, type, err));
  }
  return TRIBO_OK;
}

/* 4.1: blocks of "dimension entity type count", then "tag node..." a line. */
static tribo_status read_elements_41(reader *r, size_t blocks, size_t count, tribo_error *err) {
  size_t done = 0;
  for (size_t b = 0; b < blocks; b++) {
    int64_t entity, type, tag;
    size_t in_block;
    TRY(next_record(r, "$Elements", err));
    for (int i = 0; i < 2; i++) TRY(read_int(r, "a block's entity", &entity, err));
    TRY(read_int(r, "a block's element type", &type, err));
    TRY(read_count(r, "the number of elements in a block", SMALLEST_ELEMENT, &in_block, err));
    done += in_block;
    for (size_t i = 0; i < in_block; i++) {
      TRY(next_record(r, "$Elements", err));
      TRY(read_int(r, "an element's tag", &tag, err));
      TRY(read_element(r, tag, type, err));
    }
  }
  if (done != count)
    return scan_fail(&r->text, err, "the blocks hold %zu elements, but $Elements announced %zu",
                     done, count);
  return TRIBO_OK;
}

static tribo_status read_elements(reader *r, tribo_error *err) {
  if (!r->nodes_read) return scan_fail(&r->text, err, "$Elements comes before $Nodes");
  size_t blocks = 0, count = 0;
  TRY(next_record(r, "$Elements", err));
  if (r->version == 41)
    TRY(read_count(r, "the number of element blocks", SMALLEST_ELEMENT, &blocks, err));
  TRY(read_count(r, "the number of elements", SMALLEST_ELEMENT, &count, err));
  TRY(r->version == 41 ? read_elements_41(r, blocks, count, err) : read_elements_22(r, count, err));
  return end_section(r, "$EndElements", err);
}

static tribo_status skip_section(reader *r, scan_word name, tribo_error *err) {
  size_t begun = r->text.line;
  while (scan_line(&r->text)) {
    scan_word word;
    if (!scan_next(&r->text, &word) || word.length != name.length + 3) continue;
    scan_word tail = {word.text + 4, word.length - 4}, start = {word.text, 4};
    if (scan_is(start, "$End") && memcmp(tail.text, name.text + 1, tail.length) == 0)
      return TRIBO_OK;
  }
  return scan_fail_at(&r->text, begun, err, "section %s never ends; the file is cut off",
                      scan_quoted(name).text);
}

static tribo_status read_sections(reader *r, tribo_error *err) {
  do {
    scan_word name;
    if (!scan_next(&r->text, &name)) continue;
    bool mesh_part = scan_is(name, "$Nodes") || scan_is(name, "$Elements");
    if (name.text[0] != '$' || (mesh_part && !r->version))
      return scan_fail(&r->text, err,
                       r->version ? "expected a section such as $Nodes, but found %s"
                                  : "expected $MeshFormat, but found %s; is it a Gmsh mesh?",
                       scan_quoted(name).text);
    if (scan_is(name, "$MeshFormat"))
      TRY(read_format(r, err));
    else if (scan_is(name, "$Nodes"))
      TRY(read_nodes(r, err));
    else if (scan_is(name, "$Elements"))
      TRY(read_elements(r, err));
    else
      TRY(skip_section(r, name, err));
  } while (scan_line(&r->text));
  return TRIBO_OK;
}

static tribo_status check_contents(const reader *r, tribo_error *err) {
  const char *name = r->text.name;
  if (!r->version)
    return status_fail(err, TRIBO_BAD_INPUT, "'%s' has no $MeshFormat; is it a Gmsh mesh?", name);
  if (r->triangles.count || r->tets.count) return TRIBO_OK;
  if (r->passed_over)
    return status_fail(err, TRIBO_BAD_INPUT,
                       "'%s' holds neither triangles (type %d) nor tetrahedra (type %d), only %lld "
                       "other elements (first of type %lld); mesh it in Gmsh with order 1 elements",
                       name, TRIANGLE, TET, (long long)r->passed_over, (long long)r->passed_type);
  return status_fail(err, TRIBO_BAD_INPUT,
                     "'%s' holds no elements; mesh it in Gmsh before saving it", name);
}

/* Leaves out the nodes that no tet uses, and the triangles that stand on one of them. */
static tribo_status drop_unused(reader *r, tribo_error *err) {
  size_t vertices = r->positions.count / 3, kept = 0;
  int32_t *place = calloc(vertices, sizeof *place);
  if (!place) return status_no_memory(err, r->text.name);
  for (size_t i = 0; i < r->tets.count; i++) place[r->tets.data[i]] = 1;
  for (size_t i = 0; i < vertices; i++) {
    if (!place[i]) {
      place[i] = -1;
      continue;
    }
    for (size_t k = 0; k < 3; k++) r->positions.data[3 * kept + k] = r->positions.data[3 * i + k];
    place[i] = (int32_t)kept++;
  }
  r->positions.count = 3 * kept;

  for (size_t i = 0; i < r->tets.count; i++) r->tets.data[i] = place[r->tets.data[i]];
  size_t end = 0;
  for (size_t i = 0; i < r->triangles.count; i += 3) {
    int32_t moved[3];
    for (size_t k = 0; k < 3; k++) moved[k] = place[r->triangles.data[i + k]];
    if (moved[0] < 0 || moved[1] < 0 || moved[2] < 0) continue;
    for (size_t k = 0; k < 3; k++) r->triangles.data[end++] = moved[k];
  }
  r->triangles.count = end;
  free(place);
  return TRIBO_OK;
}

static void hand_over(reader *r, mesh *out) {
  out->vertex_count = r->positions.count / 3;
  out->triangle_count = r->triangles.count / 3;
  out->tet_count = r->tets.count / 4;
  out->positions = r->positions.data;
  out->triangles = r->triangles.data;
  out->tets = r->tets.data;
  r->positions.data = NULL;
  r->triangles.data = r->tets.data = NULL;
}

tribo_status msh_parse(const char *name, const char *text, size_t size, mesh *out,
                       tribo_error *err) {
  *out = (mesh){0};
  reader r = {.text = {name, text, text + size, .line = 1}};
  tribo_status status = read_sections(&r, err);
  if (status == TRIBO_OK) status = check_contents(&r, err);
  if (status == TRIBO_OK && r.tets.count) status = drop_unused(&r, err);
  if (status == TRIBO_OK) hand_over(&r, out);
  reader_free(&r);
  return status;
}

tribo_status msh_read(const char *path, mesh *out, tribo_error *err) {
  *out = (mesh){0};
  file_text text;
  TRY(file_read(path, &text, err));
  tribo_status status = msh_parse(path, text.data, text.size, out, err);
  free(text.data);
  return status;
}

static void write_elements(FILE *stream, int dimension, int type, int corners, const int32_t *nodes,
                           size_t count, size_t first_tag) {
  if (!count) return;
  fprintf(stream, "%d 1 %d %zu\n", dimension, type, count);
  for (size_t i = 0; i < count; i++) {
    char line[6 * NUMBER_SIZE];
    size_t length = number_print_int(line, (int64_t)(first_tag + i));
    for (int k = 0; k < corners; k++) {
      line[length++] = ' ';
      length +=
          number_print_int(line + length, (int64_t)nodes[i * (size_t)corners + (size_t)k] + 1);
    }
    line[length++] = '\n';
    fwrite(line, 1, length, stream);
  }
}

tribo_status msh_write(const char *path, const mesh *m, tribo_error *err) {
  TRY(mesh_check_finite(m, path, err));
  file_out out;
  TRY(file_create(path, &out, err));
  FILE *stream = out.stream;
  size_t vertices = m->vertex_count, elements = m->triangle_count + m->tet_count;
  int dimension = m->tet_count ? 3 : 2;

  fputs("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n", stream);
  fprintf(stream, "$Nodes\n1 %zu 1 %zu\n%d 1 0 %zu\n", vertices, vertices, dimension, vertices);
  for (size_t i = 1; i <= vertices; i++) fprintf(stream, "%zu\n", i);
  for (size_t i = 0; i < 3 * vertices; i++) {
    char text[NUMBER_SIZE];
    size_t length = number_print(text, m->positions[i], NUMBER_EXACT);
    text[length++] = i % 3 == 2 ? '\n' : ' ';
    fwrite(text, 1, length, stream);
  }
  fputs("$EndNodes\n", stream);

  fprintf(stream, "$Elements\n%d %zu 1 %zu\n", (m->triangle_count > 0) + (m->tet_count > 0),
          elements, elements);
  write_elements(stream, 2, TRIANGLE, 3, m->triangles, m->triangle_count, 1);
  write_elements(stream, 3, TET, 4, m->tets, m->tet_count, 1 + m->triangle_count);
  fputs("$EndElements\n", stream);
  return file_commit(&out, err);
}
