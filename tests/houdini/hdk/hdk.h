/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hdk: classes that stand in for those of Houdini's HDK that the SOP uses, so that its own file
 * compiles and runs in a test. Written from the public documentation; names and arguments are those
 * of the HDK, bodies are ours. They prove that the SOP does what it means to, not that Houdini
 * does what these classes do: docs/houdini.md says what is left to be seen in a real one.
 *
 * Offsets are not indices here, as they are not in Houdini after points were deleted: there are
 * holes.
 */
#ifndef TESTS_HOUDINI_HDK_H
#define TESTS_HOUDINI_HDK_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#ifndef SYS_VERSION_MAJOR_INT
#define SYS_VERSION_MAJOR_INT 21
#endif

typedef int64_t exint;
typedef double fpreal;
typedef float fpreal32;
typedef double fpreal64;
typedef int64_t int64;
typedef int32_t int32;

/* ---- GA: an offset is not an index ---- */
template <int WHICH>
class hdk_number {
 public:
  hdk_number() = default;
  explicit constexpr hdk_number(exint v) : value(v) {}
  operator exint() const { return value; }
  hdk_number &operator++() {
    ++value;
    return *this;
  }

 private:
  exint value = 0;
};
typedef hdk_number<0> GA_Offset;
typedef hdk_number<1> GA_Index;
typedef exint GA_Size;

enum GA_AttributeOwner {
  GA_ATTRIB_VERTEX,
  GA_ATTRIB_POINT,
  GA_ATTRIB_PRIMITIVE,
  GA_ATTRIB_GLOBAL,
  GA_ATTRIB_DETAIL = GA_ATTRIB_GLOBAL
};
enum GA_TypeInfo { GA_TYPE_VOID, GA_TYPE_POINT, GA_TYPE_VECTOR };
enum GA_PrimitiveTypes { GA_PRIMPOLY = 1, GEO_PRIMTETRAHEDRON = 40, HDK_PACKED = 50, HDK_SPHERE };

/* ---- UT ---- */
class UT_StringRef {
 public:
  UT_StringRef() = default;
  UT_StringRef(const char *s) : text(s ? s : "") {}
  const char *c_str() const { return text.c_str(); }
  bool isstring() const { return !text.empty(); }

 protected:
  std::string text;
};
class UT_StringHolder : public UT_StringRef {
 public:
  using UT_StringRef::UT_StringRef;
};
namespace UT {
namespace Literal {
inline UT_StringHolder operator"" _sh(const char *s, std::size_t) { return UT_StringHolder(s); }
}  // namespace Literal
}  // namespace UT
class UT_String {
 public:
  const char *c_str() const { return text.c_str(); }
  bool isstring() const { return !text.empty(); }
  std::string text;
};
class UT_Vector3 {
 public:
  UT_Vector3() = default;
  UT_Vector3(float x, float y, float z) : v{x, y, z} {}
  float x() const { return v[0]; }
  float y() const { return v[1]; }
  float z() const { return v[2]; }
  float v[3] = {0, 0, 0};
};
enum UT_ErrorSeverity {
  UT_ERROR_NONE,
  UT_ERROR_MESSAGE,
  UT_ERROR_PROMPT,
  UT_ERROR_WARNING,
  UT_ERROR_ABORT,
  UT_ERROR_FATAL
};
typedef UT_ErrorSeverity OP_ERROR;
class UT_AutoInterrupt {
 public:
  explicit UT_AutoInterrupt(const char *message);
  bool wasInterrupted(int percent = -1);
};

/* ---- GA, GEO, GU ---- */
class GA_Detail;
class GA_Attribute {
 public:
  void bumpDataId() { id++; }
  void setTypeInfo(GA_TypeInfo) {}
  int getTupleSize() const { return width; }

  const GA_Detail *detail = nullptr;
  GA_AttributeOwner owner = GA_ATTRIB_POINT;
  int width = 1, id = 0;
  bool is_text = false;
  std::vector<float> reals; /* by index; whole numbers too */
  std::vector<UT_StringHolder> texts;
  size_t slot(GA_Offset at) const;
};

class GA_Range {
 public:
  class enditerator {};
  class iterator {
   public:
    iterator(exint i, exint n, int s) : index(i), count(n), stride(s) {}
    GA_Offset operator*() const { return GA_Offset(index + index / stride); }
    iterator &operator++() {
      ++index;
      return *this;
    }
    bool operator!=(const enditerator &) const { return index < count; }

   private:
    exint index, count;
    int stride;
  };
  GA_Range(exint n, int s) : count(n), stride(s) {}
  iterator begin() const { return iterator(0, count, stride); }
  enditerator end() const { return {}; }

 private:
  exint count;
  int stride;
};

class GA_PointGroup {
 public:
  bool containsOffset(GA_Offset at) const;
  std::vector<exint> members; /* indices */
};

class GU_Detail;
class GA_Primitive {
 public:
  virtual ~GA_Primitive() = default;
  int type = GA_PRIMPOLY;
  bool closed = true;
  std::vector<exint> points; /* indices */
  exint first_vertex = 0;
  std::shared_ptr<GU_Detail> inside; /* of a packed one */
  float shift[3] = {0, 0, 0};        /* its transform */
};

class GA_Detail {
 public:
  enum { POINT_STRIDE = 7, PRIM_STRIDE = 5 };
  virtual ~GA_Detail() = default;
  GA_Detail();
  GA_Detail(const GA_Detail &) = delete;
  GA_Detail &operator=(const GA_Detail &) = delete;

  GA_Size getNumPoints() const { return points; }
  GA_Size getNumVertices() const { return vertices; }
  GA_Size getNumPrimitives() const { return GA_Size(prims.size()); }
  GA_Range getPointRange() const { return GA_Range(points, POINT_STRIDE); }
  GA_Range getPrimitiveRange() const { return GA_Range(getNumPrimitives(), PRIM_STRIDE); }
  GA_Offset pointOffset(GA_Index i) const { return GA_Offset(i + i / POINT_STRIDE); }
  GA_Index pointIndex(GA_Offset o) const { return GA_Index(o - o / (POINT_STRIDE + 1)); }
  GA_Index primitiveIndex(GA_Offset o) const { return GA_Index(o - o / (PRIM_STRIDE + 1)); }
  GA_Attribute *getP() { return find(GA_ATTRIB_POINT, "P"); }
  const GA_Attribute *getP() const { return find(GA_ATTRIB_POINT, "P"); }
  const GA_Primitive *getPrimitive(GA_Offset o) const {
    return prims[size_t(primitiveIndex(o))].get();
  }
  int getPrimitiveTypeId(GA_Offset o) const { return getPrimitive(o)->type; }
  bool getPrimitiveClosedFlag(GA_Offset o) const { return getPrimitive(o)->closed; }
  GA_Size getPrimitiveVertexCount(GA_Offset o) const {
    return GA_Size(getPrimitive(o)->points.size());
  }
  GA_Offset getPrimitiveVertexOffset(GA_Offset o, GA_Size k) const {
    return GA_Offset(2 * (getPrimitive(o)->first_vertex + k));
  }
  GA_Offset vertexPoint(GA_Offset vertex) const {
    return pointOffset(GA_Index(vertex_points[size_t(vertex / 2)]));
  }
  const GA_PointGroup *findPointGroup(const UT_StringRef &name) const;
  GA_Attribute *addFloatTuple(GA_AttributeOwner owner, const UT_StringHolder &name, int size);
  GA_Attribute *addIntTuple(GA_AttributeOwner owner, const UT_StringHolder &name, int size);
  GA_Offset appendPointBlock(GA_Size count);
  void setPos3(GA_Offset o, const UT_Vector3 &p);
  UT_Vector3 getPos3(GA_Offset o) const;
  void bumpDataIdsForAddOrRemove(bool, bool, bool) { topology_id++; }

  /* For tests. */
  GA_Attribute *find(GA_AttributeOwner owner, const std::string &name) const;
  GA_Attribute *add(GA_AttributeOwner owner, const std::string &name, int size, bool text);
  GA_Primitive *addPrimitive(int type, bool closed, const std::vector<exint> &points);
  size_t elements(GA_AttributeOwner owner) const;
  void resize();
  void copyFrom(const GA_Detail &other);
  GA_Size points = 0, vertices = 0;
  std::vector<exint> vertex_points;
  std::vector<std::shared_ptr<GA_Primitive>> prims;
  std::map<std::pair<int, std::string>, std::shared_ptr<GA_Attribute>> attributes;
  std::map<std::string, GA_PointGroup> groups;
  int topology_id = 0;
};

template <typename T>
class GA_ROHandleT {
 public:
  GA_ROHandleT(const GA_Attribute *a) : attribute(const_cast<GA_Attribute *>(a)) {}
  GA_ROHandleT(const GA_Detail *d, GA_AttributeOwner o, const UT_StringRef &name, int minsize = 1)
      : attribute(d->find(o, name.c_str())) {
    if (attribute && (attribute->is_text || attribute->width < minsize)) attribute = nullptr;
  }
  bool isValid() const { return attribute; }
  T get(GA_Offset at, int comp = 0) const {
    return T(attribute->reals[attribute->slot(at) * size_t(attribute->width) + size_t(comp)]);
  }
  const GA_Attribute *getAttribute() const { return attribute; }

 protected:
  GA_Attribute *attribute;
};
template <>
class GA_ROHandleT<UT_Vector3> {
 public:
  GA_ROHandleT(const GA_Attribute *a) : attribute(const_cast<GA_Attribute *>(a)) {}
  bool isValid() const { return attribute && attribute->width >= 3; }
  bool getBlockFromIndices(GA_Index first, GA_Size count, UT_Vector3 *to) const;

 protected:
  GA_Attribute *attribute;
};
template <typename T>
class GA_RWHandleT : public GA_ROHandleT<T> {
 public:
  GA_RWHandleT(GA_Attribute *a) : GA_ROHandleT<T>(a) {}
  void set(GA_Offset at, const T &value) const {
    this->attribute->reals[this->attribute->slot(at) * size_t(this->attribute->width)] =
        float(value);
  }
  void bumpDataId() const { this->attribute->bumpDataId(); }
};
template <>
class GA_RWHandleT<UT_Vector3> : public GA_ROHandleT<UT_Vector3> {
 public:
  GA_RWHandleT(GA_Attribute *a) : GA_ROHandleT<UT_Vector3>(a) {}
  void set(GA_Offset at, const UT_Vector3 &value) const;
  bool setBlockFromIndices(GA_Index first, GA_Size count, const UT_Vector3 *from) const;
  GA_Attribute *getAttribute() const { return attribute; }
  void bumpDataId() const { attribute->bumpDataId(); }
};
class GA_ROHandleS {
 public:
  GA_ROHandleS(const GA_Detail *d, GA_AttributeOwner o, const UT_StringRef &name, int = 1)
      : attribute(d->find(o, name.c_str())) {
    if (attribute && !attribute->is_text) attribute = nullptr;
  }
  bool isValid() const { return attribute; }
  const UT_StringHolder &get(GA_Offset at, int = 0) const {
    return attribute->texts[attribute->slot(at)];
  }

 private:
  const GA_Attribute *attribute;
};
typedef GA_ROHandleT<float> GA_ROHandleF;
typedef GA_ROHandleT<int32> GA_ROHandleI;
typedef GA_ROHandleT<UT_Vector3> GA_ROHandleV3;
typedef GA_RWHandleT<int32> GA_RWHandleI;
typedef GA_RWHandleT<UT_Vector3> GA_RWHandleV3;

class GU_Detail : public GA_Detail {
 public:
  void replaceWith(const GU_Detail &other) { copyFrom(other); }
  void clearAndDestroy();
};
class GU_PrimPacked : public GA_Primitive {
 public:
  static bool isPackedPrimitive(const GA_Primitive &p) { return p.type == HDK_PACKED; }
  bool unpackUsingPolygons(GU_Detail &to) const;
};
class GEO_PolyCounts {
 public:
  void append(GA_Size size, GA_Size count = 1) {
    for (GA_Size i = 0; i < count; i++) sizes.push_back(size);
  }
  std::vector<GA_Size> sizes;
};
class GEO_PrimPoly {
 public:
  static GA_Offset buildBlock(GA_Detail *to, GA_Offset startpt, GA_Size npoints,
                              const GEO_PolyCounts &counts, const int *pointnumbers,
                              bool closed = true);
};

/* ---- PRM, CH, OP, SOP ---- */
class PRM_Template {};
typedef int (*PRM_Callback)(void *data, int index, fpreal t, const PRM_Template *);
struct hdk_parm {
  std::string name, label, type;
  std::vector<std::string> defaults, menu;
};
class PRM_TemplateBuilder {
 public:
  PRM_TemplateBuilder(const UT_StringHolder &file, const char *ds);
  bool justBuilt() const { return true; }
  PRM_Template *templates() const;
  void setCallback(const UT_StringRef &parm, PRM_Callback f);
};
class CH_LocalVariable;
class CH_Manager {
 public:
  fpreal getSample(fpreal t) const { return t * fps + 1; }
  fpreal getTime(fpreal frame) const { return (frame - 1) / fps; }
  fpreal getSamplesPerSec() const { return fps; }
  fpreal fps = 24;
};
CH_Manager *CHgetManager();

#if SYS_VERSION_MAJOR_INT >= 21
using OP_InputIdx = int;
typedef OP_InputIdx hdk_input_index;
#else
typedef unsigned hdk_input_index;
#endif
class OP_Network;
class OP_Operator;
class OP_Node;
class OP_Context {
 public:
  explicit OP_Context(fpreal t = 0) : time(t) {}
  fpreal getTime() const { return time; }
  void setTime(fpreal t) { time = t; }

 private:
  fpreal time;
};
typedef OP_Node *(*OP_Constructor)(OP_Network *, const char *, OP_Operator *);
class OP_Operator {
 public:
  OP_Operator(const char *name, const char *english, OP_Constructor, PRM_Template *,
              unsigned min_sources, unsigned max_sources = 9999, CH_LocalVariable * = nullptr,
              unsigned flags = 0, const char **inputlabels = nullptr, int maxoutputs = 1,
              const char *tab_submenu_path = nullptr);
  void setIconName(const char *) {}
  std::string name, english;
  OP_Constructor make;
  unsigned least, most;
  std::vector<std::string> labels;
};
class OP_OperatorTable {
 public:
  bool addOperator(OP_Operator *op) {
    operators.emplace_back(op);
    return true;
  }
  std::vector<std::unique_ptr<OP_Operator>> operators;
};
class OP_Flags {
 public:
  void setTimeDep(bool on) { timedep = on; }
  bool timedep = false;
};

/* What an input is: its geometry at a frame, or false where the node above has an error. */
typedef std::function<bool(double frame, GU_Detail &out)> hdk_input;

class OP_Node {
 public:
  virtual ~OP_Node() = default;
  OP_Flags &flags() { return my_flags; }
  OP_Node *getInput(hdk_input_index i) const {
    return inputs[size_t(i)] ? const_cast<OP_Node *>(this) : nullptr;
  }
  fpreal evalFloat(const char *parm, int k, fpreal t) const;
  exint evalInt(const char *parm, int k, fpreal t) const;
  void evalString(UT_String &out, const char *parm, int k, fpreal t) const;
  void forceRecook(bool = true) { recooks++; }
  UT_ErrorSeverity error() const;

  /* For tests. */
  hdk_input inputs[9];
  std::map<std::string, std::function<double(int k, double t)>> numbers; /* set by the user */
  std::map<std::string, std::string> texts;
  std::vector<std::pair<UT_ErrorSeverity, std::string>> said;
  std::map<int, std::unique_ptr<GU_Detail>> locked; /* by input */
  std::vector<std::pair<int, double>> reads;        /* input and frame, as they were cooked */
  double locked_time = 0;
  int recooks = 0;

 private:
  OP_Flags my_flags;
};
class OP_AutoLockInputs {
 public:
  explicit OP_AutoLockInputs(OP_Node *node = nullptr) : node(node) {}
  ~OP_AutoLockInputs();
  OP_ERROR lock(OP_Context &context);
  OP_ERROR lockInput(exint input, OP_Context &context);

 private:
  OP_Node *node;
  std::vector<int> mine;
};
enum SOP_ErrorCodes { SOP_MESSAGE = 0 };
class SOP_Flags {
 public:
  void setManagesDataIDs(bool) {}
};
class SOP_Node : public OP_Node {
 public:
  ~SOP_Node() override = default;

  /* For tests: one cook at a frame, as Houdini makes it. */
  OP_ERROR cook(double frame);
  OP_ERROR cookGuide(double frame);
  void press(const char *button);
  std::unique_ptr<GU_Detail> my_gdp = std::make_unique<GU_Detail>();
  std::unique_ptr<GU_Detail> my_guide = std::make_unique<GU_Detail>();

 protected:
  SOP_Node(OP_Network *, const char *, OP_Operator *) {
    gdp = my_gdp.get();
    myGuide1 = my_guide.get();
  }
  virtual OP_ERROR cookMySop(OP_Context &) = 0;
  virtual OP_ERROR cookMyGuide1(OP_Context &) { return error(); }
  const GU_Detail *inputGeo(int input, const OP_Context &context);
  UT_ErrorSeverity addError(int, const char *text) { return say(UT_ERROR_ABORT, text); }
  UT_ErrorSeverity addWarning(int, const char *text) { return say(UT_ERROR_WARNING, text); }
  UT_ErrorSeverity addMessage(int, const char *text) { return say(UT_ERROR_MESSAGE, text); }
  GU_Detail *gdp, *myGuide1;
  SOP_Flags mySopFlags;

 private:
  UT_ErrorSeverity say(UT_ErrorSeverity severity, const char *text) {
    said.emplace_back(severity, text);
    return severity;
  }
};

/* ---- what tests steer ---- */
namespace hdk {
extern std::function<bool(int percent)> escape; /* whether Esc was pressed; empty: never */
const std::vector<hdk_parm> &parms();           /* as the dialog script has them */
[[noreturn]] void broken(const std::string &why);
}  // namespace hdk

#endif
