/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hdk.h"

#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace hdk {
std::function<bool(int)> escape;
static std::vector<hdk_parm> the_parms;
static std::map<std::string, PRM_Callback> the_callbacks;
const std::vector<hdk_parm> &parms() { return the_parms; }
void broken(const std::string &why) {
  fprintf(stderr, "the SOP breaks a rule of Houdini: %s\n", why.c_str());
  abort();
}
}  // namespace hdk

UT_AutoInterrupt::UT_AutoInterrupt(const char *) {}
bool UT_AutoInterrupt::wasInterrupted(int percent) { return hdk::escape && hdk::escape(percent); }
CH_Manager *CHgetManager() {
  static CH_Manager manager;
  return &manager;
}

/* ---- geometry ---- */

size_t GA_Attribute::slot(GA_Offset at) const {
  exint index = at;
  switch (owner) {
    case GA_ATTRIB_POINT: index = detail->pointIndex(at); break;
    case GA_ATTRIB_PRIMITIVE: index = detail->primitiveIndex(at); break;
    case GA_ATTRIB_VERTEX: index = at / 2; break;
    case GA_ATTRIB_GLOBAL: index = 0; break;
  }
  if (index < 0 || size_t(index) >= detail->elements(owner)) hdk::broken("an offset out of range");
  return size_t(index);
}

bool GA_PointGroup::containsOffset(GA_Offset at) const {
  const exint index = at - at / (GA_Detail::POINT_STRIDE + 1);
  for (exint m : members)
    if (m == index) return true;
  return false;
}

GA_Detail::GA_Detail() { add(GA_ATTRIB_POINT, "P", 3, false); }

size_t GA_Detail::elements(GA_AttributeOwner owner) const {
  switch (owner) {
    case GA_ATTRIB_POINT: return size_t(points);
    case GA_ATTRIB_PRIMITIVE: return prims.size();
    case GA_ATTRIB_VERTEX: return size_t(vertices);
    case GA_ATTRIB_GLOBAL: return 1;
  }
  return 0;
}

GA_Attribute *GA_Detail::find(GA_AttributeOwner owner, const std::string &name) const {
  auto it = attributes.find({int(owner), name});
  return it == attributes.end() ? nullptr : it->second.get();
}

GA_Attribute *GA_Detail::add(GA_AttributeOwner owner, const std::string &name, int size,
                             bool text) {
  auto a = std::make_shared<GA_Attribute>();
  a->detail = this;
  a->owner = owner;
  a->width = size;
  a->is_text = text;
  attributes[{int(owner), name}] = a;
  resize();
  return a.get();
}

GA_Attribute *GA_Detail::addFloatTuple(GA_AttributeOwner owner, const UT_StringHolder &name,
                                       int size) {
  GA_Attribute *there = find(owner, name.c_str());
  return there ? there : add(owner, name.c_str(), size, false);
}

GA_Attribute *GA_Detail::addIntTuple(GA_AttributeOwner owner, const UT_StringHolder &name,
                                     int size) {
  return addFloatTuple(owner, name, size);
}

void GA_Detail::resize() {
  for (auto &entry : attributes) {
    GA_Attribute &a = *entry.second;
    const size_t count = elements(a.owner);
    if (a.is_text)
      a.texts.resize(count);
    else
      a.reals.resize(count * size_t(a.width));
  }
}

GA_Offset GA_Detail::appendPointBlock(GA_Size count) {
  /* Houdini gives a contiguous block: only an empty geometry without holes does that here. */
  const GA_Offset first = pointOffset(GA_Index(points));
  points += count;
  resize();
  return first;
}

void GA_Detail::setPos3(GA_Offset o, const UT_Vector3 &p) { GA_RWHandleV3(getP()).set(o, p); }

UT_Vector3 GA_Detail::getPos3(GA_Offset o) const {
  const float *p = getP()->reals.data() + 3 * getP()->slot(o);
  return UT_Vector3(p[0], p[1], p[2]);
}

GA_Primitive *GA_Detail::addPrimitive(int type, bool closed, const std::vector<exint> &corners) {
  auto prim =
      type == HDK_PACKED ? std::make_shared<GU_PrimPacked>() : std::make_shared<GA_Primitive>();
  prim->type = type;
  prim->closed = closed;
  prim->points = corners;
  prim->first_vertex = vertices;
  vertices += exint(corners.size());
  vertex_points.insert(vertex_points.end(), corners.begin(), corners.end());
  prims.push_back(prim);
  resize();
  return prim.get();
}

void GA_Detail::copyFrom(const GA_Detail &other) {
  if (this == &other) return;
  points = other.points;
  vertices = other.vertices;
  vertex_points = other.vertex_points;
  prims = other.prims;
  groups = other.groups;
  attributes.clear();
  for (const auto &entry : other.attributes) {
    attributes[entry.first] = std::make_shared<GA_Attribute>(*entry.second);
    attributes[entry.first]->detail = this;
  }
}

const GA_PointGroup *GA_Detail::findPointGroup(const UT_StringRef &name) const {
  auto it = groups.find(name.c_str());
  return it == groups.end() ? nullptr : &it->second;
}

void GU_Detail::clearAndDestroy() { copyFrom(GU_Detail()); }

bool GU_PrimPacked::unpackUsingPolygons(GU_Detail &to) const {
  to.copyFrom(*inside);
  float *p = to.getP()->reals.data();
  for (exint i = 0; i < 3 * to.points; i++) p[i] += shift[i % 3];
  return true;
}

bool GA_ROHandleT<UT_Vector3>::getBlockFromIndices(GA_Index first, GA_Size count,
                                                   UT_Vector3 *to) const {
  for (GA_Size i = 0; i < count; i++)
    for (size_t k = 0; k < 3; k++) to[i].v[k] = attribute->reals[size_t(3 * (first + i)) + k];
  return true;
}

void GA_RWHandleT<UT_Vector3>::set(GA_Offset at, const UT_Vector3 &value) const {
  for (size_t k = 0; k < 3; k++) attribute->reals[3 * attribute->slot(at) + k] = value.v[k];
}

bool GA_RWHandleT<UT_Vector3>::setBlockFromIndices(GA_Index first, GA_Size count,
                                                   const UT_Vector3 *from) const {
  for (GA_Size i = 0; i < count; i++)
    for (size_t k = 0; k < 3; k++) attribute->reals[size_t(3 * (first + i)) + k] = from[i].v[k];
  return true;
}

GA_Offset GEO_PrimPoly::buildBlock(GA_Detail *to, GA_Offset startpt, GA_Size npoints,
                                   const GEO_PolyCounts &counts, const int *numbers, bool closed) {
  const exint first = to->pointIndex(startpt);
  for (GA_Size size : counts.sizes) {
    std::vector<exint> corners;
    for (GA_Size k = 0; k < size; k++, numbers++) {
      if (*numbers < 0 || *numbers >= npoints)
        hdk::broken("a polygon of points that are not there");
      corners.push_back(first + *numbers);
    }
    to->addPrimitive(GA_PRIMPOLY, closed, corners);
  }
  return GA_Offset(0);
}

/* ---- the dialog script ---- */

namespace {
struct Reader {
  const char *at;
  std::string next() { /* a word, a quoted string, or a brace; "" at the end */
    while (isspace(static_cast<unsigned char>(*at))) at++;
    if (!*at) return "";
    if (*at == '{' || *at == '}') return std::string(1, *at++);
    std::string out;
    if (*at == '"') {
      for (at++; *at && *at != '"'; at++) {
        if (*at == '\\' && at[1]) at++;
        out += *at;
      }
      if (!*at) hdk::broken("a string without an end in the dialog script");
      at++;
      return out.empty() ? " " : out;
    }
    while (*at && !isspace(static_cast<unsigned char>(*at)) && *at != '{' && *at != '}')
      out += *at++;
    return out;
  }
  std::vector<std::string> braces() {
    std::vector<std::string> out;
    if (next() != "{") hdk::broken("a brace is missing in the dialog script");
    for (std::string word = next(); word != "}"; word = next()) {
      if (word.empty()) hdk::broken("a brace is open in the dialog script");
      out.push_back(word);
    }
    return out;
  }
  void parm() {
    hdk_parm p;
    if (next() != "{") hdk::broken("parm without a brace");
    for (std::string word = next(); word != "}"; word = next()) {
      if (word == "name")
        p.name = next();
      else if (word == "label")
        p.label = next();
      else if (word == "type")
        p.type = next();
      else if (word == "size" || word == "help" || word == "disablewhen")
        next();
      else if (word == "default")
        p.defaults = braces();
      else if (word == "menu")
        p.menu = braces();
      else if (word == "range" || word == "parmtag")
        braces();
      else
        hdk::broken("the dialog script has '" + word + "'");
    }
    for (const hdk_parm &other : hdk::the_parms)
      if (other.name == p.name) hdk::broken("the dialog has two parameters '" + p.name + "'");
    hdk::the_parms.push_back(p);
  }
  void block() {
    for (std::string word = next(); word != "}"; word = next()) {
      if (word == "parm")
        parm();
      else if (word == "group") {
        if (next() != "{") hdk::broken("group without a brace");
        block();
      } else if (word == "name" || word == "label")
        next();
      else
        hdk::broken("the dialog script has '" + word + "'");
    }
  }
};
PRM_Template the_template;
}  // namespace

PRM_TemplateBuilder::PRM_TemplateBuilder(const UT_StringHolder &, const char *ds) {
  hdk::the_parms.clear();
  Reader reader{ds};
  if (reader.next() != "{") hdk::broken("the dialog script does not begin with a brace");
  reader.block();
}

PRM_Template *PRM_TemplateBuilder::templates() const { return &the_template; }

void PRM_TemplateBuilder::setCallback(const UT_StringRef &parm, PRM_Callback f) {
  hdk::the_callbacks[parm.c_str()] = f;
}

/* ---- nodes ---- */

static const hdk_parm &parmOf(const char *name) {
  for (const hdk_parm &p : hdk::the_parms)
    if (p.name == name) return p;
  hdk::broken(std::string("there is no parameter '") + name + "'");
}

fpreal OP_Node::evalFloat(const char *parm, int k, fpreal t) const {
  const hdk_parm &p = parmOf(parm);
  auto it = numbers.find(parm);
  if (it != numbers.end()) return it->second(k, CHgetManager()->getSample(t));
  if (size_t(k) >= p.defaults.size()) hdk::broken(p.name + " has fewer numbers");
  return strtod(p.defaults[size_t(k)].c_str(), nullptr);
}

exint OP_Node::evalInt(const char *parm, int k, fpreal t) const {
  const std::string &type = parmOf(parm).type;
  if (type == "float" || type == "vector" || type == "string" || type == "file")
    hdk::broken(std::string(parm) + " is no whole number");
  return exint(std::lround(evalFloat(parm, k, t)));
}

void OP_Node::evalString(UT_String &out, const char *parm, int, fpreal) const {
  const hdk_parm &p = parmOf(parm);
  if (p.type != "string" && p.type != "file") hdk::broken(p.name + " is no text");
  auto it = texts.find(parm);
  out.text = it != texts.end() ? it->second : p.defaults[0] == " " ? "" : p.defaults[0];
}

UT_ErrorSeverity OP_Node::error() const {
  UT_ErrorSeverity worst = UT_ERROR_NONE;
  for (const auto &one : said)
    if (one.first > worst) worst = one.first;
  return worst;
}

OP_Operator::OP_Operator(const char *n, const char *e, OP_Constructor c, PRM_Template *, unsigned l,
                         unsigned m, CH_LocalVariable *, unsigned, const char **names, int,
                         const char *)
    : name(n), english(e), make(c), least(l), most(m) {
  while (names && *names) labels.emplace_back(*names++);
}

OP_AutoLockInputs::~OP_AutoLockInputs() {
  for (int input : mine) node->locked.erase(input);
}

OP_ERROR OP_AutoLockInputs::lockInput(exint input, OP_Context &context) {
  if (node->locked.count(int(input))) hdk::broken("an input is locked twice");
  if (!node->inputs[input]) return UT_ERROR_NONE;
  const double frame = CHgetManager()->getSample(context.getTime());
  auto geo = std::make_unique<GU_Detail>();
  node->reads.emplace_back(int(input), frame);
  if (!node->inputs[input](frame, *geo)) return UT_ERROR_ABORT;
  node->locked[int(input)] = std::move(geo);
  node->locked_time = context.getTime();
  mine.push_back(int(input));
  return UT_ERROR_NONE;
}

OP_ERROR OP_AutoLockInputs::lock(OP_Context &context) {
  OP_ERROR worst = UT_ERROR_NONE;
  for (exint i = 0; i < 9; i++) {
    const OP_ERROR one = lockInput(i, context);
    if (one > worst) worst = one;
  }
  if (worst >= UT_ERROR_ABORT) node->said.emplace_back(worst, "an input has an error");
  return worst;
}

const GU_Detail *SOP_Node::inputGeo(int input, const OP_Context &context) {
  auto it = locked.find(input);
  if (it == locked.end()) {
    if (inputs[input]) hdk::broken("the geometry of an input that is not locked");
    return nullptr;
  }
  if (context.getTime() != locked_time)
    hdk::broken("an input at another time than it was locked for");
  return it->second.get();
}

OP_ERROR SOP_Node::cook(double frame) {
  said.clear();
  OP_Context context(CHgetManager()->getTime(frame));
  const OP_ERROR worst = cookMySop(context);
  if (!locked.empty()) hdk::broken("inputs are locked after the cook");
  return worst;
}

OP_ERROR SOP_Node::cookGuide(double frame) {
  OP_Context context(CHgetManager()->getTime(frame));
  return cookMyGuide1(context);
}

void SOP_Node::press(const char *button) {
  auto it = hdk::the_callbacks.find(button);
  if (it == hdk::the_callbacks.end()) hdk::broken(std::string("nobody calls ") + button);
  it->second(this, 0, 0, nullptr);
}
