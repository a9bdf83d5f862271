// SPDX-License-Identifier: GPL-3.0-or-later
#include "SOP_Tribo.h"

#include <CH/CH_Manager.h>
#include <GA/GA_Handle.h>
#include <GEO/GEO_PolyCounts.h>
#include <GEO/GEO_PrimPoly.h>
#include <GU/GU_Detail.h>
#include <GU/GU_PrimPacked.h>
#include <OP/OP_AutoLockInputs.h>
#include <OP/OP_Operator.h>
#include <OP/OP_OperatorTable.h>
#include <PRM/PRM_TemplateBuilder.h>
#include <SOP/SOP_Error.h>
#include <UT/UT_DSOVersion.h>
#include <UT/UT_Interrupt.h>
#include <UT/UT_Version.h>

#include <cstdlib>
#include <string>
#include <vector>

using namespace UT::Literal;

// From 21 on inputs are counted by a type of their own.
#if SYS_VERSION_MAJOR_INT < 21
using OP_InputIdx = unsigned;
#endif

// ---- the dialog ---------------------------------------------------------------------------------

// It is made when the plugin is loaded, from the core's own table (logic/parms.h).
PRM_Template *SOP_Tribo::templates() {
  static const std::string script = [] {
    const hou_dialog_style style = {"    name parameters\n", nullptr, HOU_SOLVER};
    char *text = hou_dialog(&style);
    std::string out = text ? text : "{\n    name parameters\n}\n";
    free(text);
    return out;
  }();
  static PRM_TemplateBuilder builder("SOP_Tribo.C"_sh, script.c_str());
  if (builder.justBuilt()) {
    builder.setCallback("resetsim"_sh, &SOP_Tribo::reset);
    builder.setCallback("writebundle"_sh, &SOP_Tribo::writeBundle);
  }
  return builder.templates();
}

void newSopOperator(OP_OperatorTable *table) {
  static const char *labels[] = {"Geometry", "Constraints", "Colliders", nullptr};
  auto *op = new OP_Operator("tribo::solver::1.0", "Tribo Solver", SOP_Tribo::create,
                             SOP_Tribo::templates(), 1, HOU_INPUTS, nullptr, 0, labels, 1, "Tribo");
  op->setIconName("SOP_vellumsolver");
  table->addOperator(op);
}

OP_Node *SOP_Tribo::create(OP_Network *net, const char *name, OP_Operator *op) {
  return new SOP_Tribo(net, name, op);
}

SOP_Tribo::SOP_Tribo(OP_Network *net, const char *name, OP_Operator *op)
    : SOP_Node(net, name, op), mySession(hou_session_create()) {
  mySopFlags.setManagesDataIDs(true);
}

SOP_Tribo::~SOP_Tribo() { hou_session_free(mySession); }

// Parameters are those of the start frame: what is animated does not begin anew with every frame.
bool SOP_Tribo::evaluate(OP_Context &context, hou_settings &settings) {
  if (!hou_settings_create(&settings)) return false;
  const fpreal start = fpreal(evalInt("startframe", 0, context.getTime()));
  const fpreal time = CHgetManager()->getTime(start);
  hou_parm p;
  bool ok = true;
  for (size_t row = 0; ok && hou_parm_at(row, &p); row++) {
    double *value = settings.values[row];
    if (p.absent & HOU_SOLVER) continue;
    switch (p.type) {
      case HOU_PARM_BUTTON: break;
      case HOU_PARM_TOGGLE:
      case HOU_PARM_INT:
      case HOU_PARM_MENU: value[0] = double(evalInt(p.name, 0, time)); break;
      case HOU_PARM_REAL: value[0] = evalFloat(p.name, 0, time); break;
      case HOU_PARM_VEC3:
        for (int k = 0; k < 3; k++) value[k] = evalFloat(p.name, k, time);
        break;
      case HOU_PARM_TEXT:
      case HOU_PARM_FILE: {
        UT_String text;
        evalString(text, p.name, 0, time);
        ok = hou_settings_text(&settings, row, text.isstring() ? text.c_str() : "");
        break;
      }
    }
  }
  if (!ok) hou_settings_free(&settings);
  return ok;
}

// ---- reading inputs -----------------------------------------------------------------------------

static const struct {
  hou_owner owner;
  GA_AttributeOwner as;
} theOwners[] = {{HOU_PRIMITIVE, GA_ATTRIB_PRIMITIVE},
                 {HOU_VERTEX, GA_ATTRIB_VERTEX},
                 {HOU_POINT, GA_ATTRIB_POINT},
                 {HOU_DETAIL, GA_ATTRIB_DETAIL}};

// Calls f(offset, number) for every element of an owner, in the order of a hou_geo.
template <typename F>
static void forElements(const GU_Detail &from, hou_owner owner, F f) {
  size_t number = 0;
  if (owner == HOU_DETAIL) f(GA_Offset(0), number);
  if (owner == HOU_POINT)
    for (GA_Offset point : from.getPointRange()) f(point, number++);
  if (owner == HOU_PRIMITIVE)
    for (GA_Offset prim : from.getPrimitiveRange()) f(prim, number++);
  if (owner == HOU_VERTEX)
    for (GA_Offset prim : from.getPrimitiveRange())
      for (GA_Size k = 0; k < from.getPrimitiveVertexCount(prim); k++)
        f(from.getPrimitiveVertexOffset(prim, k), number++);
}

static void copyNumbers(const GU_Detail &from, const hou_attribute &a, size_t row, hou_owner owner,
                        GA_AttributeOwner as, hou_geo *to) {
  GA_ROHandleF reals(&from, as, a.name);
  GA_ROHandleI wholes(&from, as, a.name);
  hou_column *column = hou_geo_column(to, row, owner);
  if (!column) return;
  const int have = reals.getAttribute()->getTupleSize(), width = have < a.width ? have : a.width;
  forElements(from, owner, [&](GA_Offset at, size_t number) {
    for (int k = 0; k < width; k++)
      if (a.storage == HOU_REAL)
        column->reals[number * size_t(a.width) + size_t(k)] = reals.get(at, k);
      else
        column->wholes[number] = wholes.get(at, k);
  });
}

static void copyTexts(const GU_Detail &from, const hou_attribute &a, size_t row, hou_owner owner,
                      GA_AttributeOwner as, hou_geo *to) {
  GA_ROHandleS texts(&from, as, a.name);
  hou_column *column = hou_geo_column(to, row, owner);
  if (!column) return;
  forElements(from, owner, [&](GA_Offset at, size_t number) {
    const UT_StringHolder &text = texts.get(at);
    column->wholes[number] = hou_geo_text(to, text.isstring() ? text.c_str() : "");
  });
}

// The first owner that has an attribute counts.
static void copyAttributes(const GU_Detail &from, hou_geo *to) {
  hou_attribute a;
  for (size_t row = 0; hou_attribute_at(row, &a); row++)
    for (const auto &owner : theOwners) {
      if (!(a.owners & unsigned(owner.owner))) continue;
      if (a.storage == HOU_TEXT && GA_ROHandleS(&from, owner.as, a.name).isValid())
        copyTexts(from, a, row, owner.owner, owner.as, to);
      else if (a.storage != HOU_TEXT && GA_ROHandleF(&from, owner.as, a.name).isValid())
        copyNumbers(from, a, row, owner.owner, owner.as, to);
      else
        continue;
      break;
    }
}

static hou_prim typeOf(const GU_Detail &from, GA_Offset prim) {
  const int type = from.getPrimitiveTypeId(prim);
  if (type == GA_PRIMPOLY) return from.getPrimitiveClosedFlag(prim) ? HOU_POLYGON : HOU_POLYLINE;
  return type == GEO_PRIMTETRAHEDRON ? HOU_TET : HOU_OTHER;
}

static bool isPacked(const GU_Detail &from, GA_Offset prim) {
  const GA_Primitive *found = from.getPrimitive(prim);
  return found && GU_PrimPacked::isPackedPrimitive(*found);
}

// What is not packed, as one geometry.
static bool copyPlain(const GU_Detail &from, const char *label, const char *pinGroup,
                      hou_input *into) {
  const GA_Size points = from.getNumPoints();
  size_t corners = 0, number = 0;
  for (GA_Offset prim : from.getPrimitiveRange())
    corners += size_t(from.getPrimitiveVertexCount(prim));
  hou_geo *to =
      hou_input_add(into, size_t(points), size_t(from.getNumPrimitives()), corners, label);
  if (!to) return false;
  GA_ROHandleV3 P(from.getP());
  P.getBlockFromIndices(GA_Index(0), points, reinterpret_cast<UT_Vector3 *>(to->positions));
  corners = 0;
  for (GA_Offset prim : from.getPrimitiveRange()) {
    to->prim_types[number] = uint8_t(typeOf(from, prim));
    to->first[number++] = corners;
    for (GA_Size k = 0; k < from.getPrimitiveVertexCount(prim); k++)
      to->corners[corners++] =
          int32_t(exint(from.pointIndex(from.vertexPoint(from.getPrimitiveVertexOffset(prim, k)))));
  }
  if (const GA_PointGroup *group = pinGroup[0] ? from.findPointGroup(pinGroup) : nullptr)
    for (GA_Offset point : from.getPointRange())
      to->pinned[exint(from.pointIndex(point))] = group->containsOffset(point);
  copyAttributes(from, to);
  return true;
}

// Packed colliders are unpacked, each as a geometry of its own, with its transform applied.
static bool copyDetail(const GU_Detail &from, const std::string &label, const char *pinGroup,
                       hou_input *into) {
  bool plain = from.getNumPrimitives() == 0, ok = true;
  GA_ROHandleS names(&from, GA_ATTRIB_PRIMITIVE, "name");
  for (GA_Offset prim : from.getPrimitiveRange()) {
    if (!isPacked(from, prim)) {
      plain = true;
      continue;
    }
    const bool named = names.isValid() && names.get(prim).isstring();
    const std::string piece = named ? std::string(names.get(prim).c_str())
                                    : (label.empty() ? std::string("piece") : label) +
                                          std::to_string(exint(from.primitiveIndex(prim)));
    GU_Detail inside;
    static_cast<const GU_PrimPacked *>(from.getPrimitive(prim))->unpackUsingPolygons(inside);
    ok = ok && copyDetail(inside, piece, pinGroup, into);
  }
  return ok && (!plain || copyPlain(from, label.c_str(), pinGroup, into));
}

bool SOP_Tribo::readInput(OP_Context &context, int input, double frame, hou_input *into,
                          tribo_error *err) {
  if (!getInput(OP_InputIdx(input))) return true;
  OP_Context at(context);
  at.setTime(CHgetManager()->getTime(frame));
  OP_AutoLockInputs lock(this);  // one a time: inputs are cooked for it
  const bool locked = lock.lockInput(input, at) < UT_ERROR_ABORT;
  const GU_Detail *from = locked ? inputGeo(input, at) : nullptr;
  if (!from) {
    hou_fail(err, TRIBO_BAD_INPUT,
             "input %d has an error at frame %g; mend what is connected there", input + 1, frame);
    return false;
  }
  UT_String group;
  evalString(group, "pingroup", 0, context.getTime());
  const char *pins = group.isstring() ? group.c_str() : "";
  const bool copied =
      input == HOU_COLLIDERS ? copyDetail(*from, "", pins, into) : copyPlain(*from, "", pins, into);
  if (!copied) hou_no_memory(err);
  return copied;
}

// ---- cooking ------------------------------------------------------------------------------------

// One cook, as the session sees it.
struct Cook {
  SOP_Tribo *sop;
  OP_Context *context;
  UT_AutoInterrupt *boss;

  static bool read(void *user, int input, double frame, hou_input *into, tribo_error *err) {
    auto *cook = static_cast<Cook *>(user);
    return cook->sop->readInput(*cook->context, input, frame, into, err);
  }
  static bool pressed(void *user, int percent) {
    return static_cast<Cook *>(user)->boss->wasInterrupted(percent);
  }
  hou_host host() { return {this, read, pressed, CHgetManager()->getSamplesPerSec()}; }
};

// Errors vanish with every cook, so what there is to say of a frame is said again.
void SOP_Tribo::tell(const hou_say &said) {
  for (size_t i = 0; i < said.count; i++) {
    const char *text = said.items[i].text;
    switch (said.items[i].severity) {
      case HOU_NOTE: addMessage(SOP_MESSAGE, text); break;
      case HOU_WARNING: addWarning(SOP_MESSAGE, text); break;
      case HOU_ERROR: addError(SOP_MESSAGE, text); break;
    }
  }
}

OP_ERROR SOP_Tribo::cookMySop(OP_Context &context) {
  flags().setTimeDep(true);
  hou_settings settings;
  if (!mySession || !evaluate(context, settings)) {
    addError(SOP_MESSAGE, "Tribo: there is not enough memory");
    return error();
  }
  UT_AutoInterrupt boss("Tribo: simulating");
  Cook cook{this, &context, &boss};
  const hou_host host = cook.host();
  const hou_outcome outcome =
      hou_session_cook(mySession, &host, &settings, CHgetManager()->getSample(context.getTime()));
  hou_settings_free(&settings);
  tell(*hou_session_said(mySession));

  OP_AutoLockInputs lock(this);  // behind the frames that were caught up with
  if (lock.lock(context) >= UT_ERROR_ABORT) return error();
  const GU_Detail *in = inputGeo(HOU_GEOMETRY, context);
  if (!in) {
    addError(SOP_MESSAGE, "Tribo: the first input is empty");
    return error();
  }
  gdp->replaceWith(*in);
  const hou_view *view = hou_session_view(mySession);
  if (view && (outcome == HOU_SHOWN || outcome == HOU_INTERRUPTED)) show(*view);
  return error();
}

// ---- output -------------------------------------------------------------------------------------

static void writeVectors(GU_Detail *gdp, const GA_RWHandleV3 &handle, const hou_view &view,
                         const float *values) {
  const GA_Size points = gdp->getNumPoints();
  std::vector<UT_Vector3> all(static_cast<size_t>(points));
  handle.getBlockFromIndices(GA_Index(0), points, all.data());
  for (size_t i = 0; i < view.count; i++)
    all[size_t(view.points[i])] = UT_Vector3(values[3 * i], values[3 * i + 1], values[3 * i + 2]);
  handle.setBlockFromIndices(GA_Index(0), points, all.data());
  handle.bumpDataId();
}

static void writeWholes(GU_Detail *gdp, const UT_StringHolder &name, const hou_view &view,
                        const int32_t *values) {
  GA_RWHandleI handle(gdp->addIntTuple(GA_ATTRIB_POINT, name, 1));
  for (size_t i = 0; i < view.count; i++)
    handle.set(gdp->pointOffset(GA_Index(view.points[i])), values[i]);
  handle.bumpDataId();
}

static GA_RWHandleV3 vectorHandle(GU_Detail *gdp, const UT_StringHolder &name) {
  GA_RWHandleV3 handle(gdp->addFloatTuple(GA_ATTRIB_POINT, name, 3));
  handle.getAttribute()->setTypeInfo(GA_TYPE_VECTOR);
  return handle;
}

void SOP_Tribo::show(const hou_view &view) {
  if (size_t(gdp->getNumPoints()) != view.point_count) {
    addError(SOP_MESSAGE, "Tribo: the first input has another number of points than at the start");
    return;
  }
  writeVectors(gdp, GA_RWHandleV3(gdp->getP()), view, view.x);
  writeVectors(gdp, vectorHandle(gdp, "v"_sh), view, view.v);
  writeVectors(gdp, vectorHandle(gdp, "frictionforce"_sh), view, view.friction);
  writeWholes(gdp, "contactstate"_sh, view, view.state);
  writeWholes(gdp, "crossed"_sh, view, view.crossed);
  GA_RWHandleI crossings(gdp->addIntTuple(GA_ATTRIB_DETAIL, "crossings"_sh, 1));
  crossings.set(GA_Offset(0), view.crossings);
  crossings.bumpDataId();
}

// A line a contact, from where it is along its force.
OP_ERROR SOP_Tribo::cookMyGuide1(OP_Context &context) {
  myGuide1->clearAndDestroy();
  const hou_view *view = mySession ? hou_session_view(mySession) : nullptr;
  const GA_Size n = view ? GA_Size(view->contact_count) : 0;
  if (!n || !evalInt("showcontacts", 0, context.getTime())) return error();
  const float scale = float(evalFloat("forcescale", 0, context.getTime()));
  const GA_Offset first = myGuide1->appendPointBlock(2 * n);
  GA_RWHandleV3 color(myGuide1->addFloatTuple(GA_ATTRIB_POINT, "Cd"_sh, 3));
  std::vector<int> ends;
  for (GA_Size i = 0; i < n; i++) {
    const hou_contact &c = view->contacts[i];
    const UT_Vector3 hue =
        c.state == HOU_STICKS ? UT_Vector3(0.2f, 0.6f, 1) : UT_Vector3(1, 0.5f, 0);
    for (int end = 0; end < 2; end++) {
      const GA_Offset point(exint(first) + 2 * i + end);
      const float along = end ? scale : 0;
      myGuide1->setPos3(point,
                        UT_Vector3(c.place[0] + along * c.force[0], c.place[1] + along * c.force[1],
                                   c.place[2] + along * c.force[2]));
      color.set(point, hue);
      ends.push_back(int(2 * i + end));
    }
  }
  GEO_PolyCounts sizes;
  sizes.append(2, n);
  GEO_PrimPoly::buildBlock(myGuide1, first, 2 * n, sizes, ends.data(), false);
  myGuide1->bumpDataIdsForAddOrRemove(true, true, true);
  return error();
}

// ---- buttons ------------------------------------------------------------------------------------

int SOP_Tribo::reset(void *data, int, fpreal, const PRM_Template *) {
  auto *sop = static_cast<SOP_Tribo *>(data);
  hou_session_reset(sop->mySession);
  sop->forceRecook();
  return 1;
}

int SOP_Tribo::bundle(OP_Context &context) {
  hou_settings settings;
  if (!evaluate(context, settings)) return 0;
  UT_AutoInterrupt boss("Tribo: writing a bundle");
  Cook cook{this, &context, &boss};
  const hou_host host = cook.host();
  hou_say said = {};
  tribo_error err = {};
  const int end = int(settings.values[HOU_PARM_BUNDLE_END][0]);
  if (hou_bundle_write(&host, &settings, end, settings.texts[HOU_PARM_BUNDLE], &said, &err))
    addError(SOP_MESSAGE, err.message);
  tell(said);
  hou_say_clear(&said);
  hou_settings_free(&settings);
  return 1;
}

int SOP_Tribo::writeBundle(void *data, int, fpreal time, const PRM_Template *) {
  OP_Context context(time);
  return static_cast<SOP_Tribo *>(data)->bundle(context);
}
