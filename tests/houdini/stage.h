/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stage: a node "Tribo Solver" with inputs that are functions of time, for claims about the SOP.
 */
#ifndef TESTS_HOUDINI_STAGE_H
#define TESTS_HOUDINI_STAGE_H

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "hdk.h"

void newSopOperator(OP_OperatorTable *table);

#define CLAIM(what)                                                                                \
  do {                                                                                             \
    if (!(what)) {                                                                                 \
      fprintf(stderr, "%s:%d: %s: does not hold: %s\n", __FILE__, __LINE__, __func__, #what);      \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

namespace stage {

typedef std::vector<float> Positions;

/* A node as Houdini makes one. */
inline std::unique_ptr<SOP_Node> node() {
  static OP_OperatorTable table;
  if (table.operators.empty()) newSopOperator(&table);
  OP_Operator *op = table.operators[0].get();
  return std::unique_ptr<SOP_Node>(dynamic_cast<SOP_Node *>(op->make(nullptr, "tribo1", op)));
}

inline void set(SOP_Node &sop, const char *parm, double value) {
  sop.numbers[parm] = [value](int, double) { return value; };
}

/* ---- shapes: y up, wound clockwise seen from outside, as Houdini does ---- */

inline exint point(GU_Detail &d, float x, float y, float z) {
  d.appendPointBlock(1);
  float *p = d.getP()->reals.data() + 3 * (d.getNumPoints() - 1);
  p[0] = x;
  p[1] = y;
  p[2] = z;
  return d.getNumPoints() - 1;
}

/* A level square of n by n quads, `side` wide, about (x, y, z). */
inline void sheet(GU_Detail &d, int n, float side, float x, float y, float z) {
  const exint first = d.getNumPoints();
  for (int j = 0; j <= n; j++)
    for (int i = 0; i <= n; i++)
      point(d, x + side * (float(i) / float(n) - 0.5f), y, z + side * (float(j) / float(n) - 0.5f));
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      const exint a = first + j * (n + 1) + i, b = a + 1, c = b + n + 1, e = a + n + 1;
      d.addPrimitive(GA_PRIMPOLY, true, {a, b, c, e});
    }
}

inline void ball(GU_Detail &d, float r, float x, float y, float z, int n = 12) {
  const exint first = point(d, x, y + r, z);
  for (int j = 1; j < n; j++)
    for (int i = 0; i < 2 * n; i++) {
      const double a = M_PI * j / n, b = M_PI * i / n;
      point(d, x + r * float(sin(a) * cos(b)), y + r * float(cos(a)),
            z + r * float(sin(a) * sin(b)));
    }
  const exint last = point(d, x, y - r, z);
  auto at = [&](int j, int i) { return first + 1 + (j - 1) * 2 * n + i % (2 * n); };
  for (int i = 0; i < 2 * n; i++) {
    d.addPrimitive(GA_PRIMPOLY, true, {first, at(1, i), at(1, i + 1)});
    for (int j = 1; j + 1 < n; j++)
      d.addPrimitive(GA_PRIMPOLY, true, {at(j, i), at(j + 1, i), at(j + 1, i + 1), at(j, i + 1)});
    d.addPrimitive(GA_PRIMPOLY, true, {last, at(n - 1, i + 1), at(n - 1, i)});
  }
}

inline void box(GU_Detail &d, float side, float x, float y, float z) {
  const exint f = d.getNumPoints();
  for (int i = 0; i < 8; i++)
    point(d, x + side * (float(i & 1) - 0.5f), y + side * (float((i >> 1) & 1) - 0.5f),
          z + side * (float(i >> 2) - 0.5f));
  const exint faces[6][4] = {{0, 1, 3, 2}, {5, 4, 6, 7}, {4, 0, 2, 6},
                             {1, 5, 7, 3}, {2, 3, 7, 6}, {4, 5, 1, 0}};
  for (const auto &c : faces)
    d.addPrimitive(GA_PRIMPOLY, true, {f + c[0], f + c[1], f + c[2], f + c[3]});
}

inline Positions positions(const SOP_Node &sop) { return sop.my_gdp->getP()->reals; }

inline bool said(const SOP_Node &sop, UT_ErrorSeverity severity, const std::string &words) {
  for (const auto &one : sop.said)
    if (one.first == severity && one.second.find(words) != std::string::npos) return true;
  return false;
}

inline void print_said(const SOP_Node &sop) {
  for (const auto &one : sop.said) fprintf(stderr, "  [%d] %s\n", one.first, one.second.c_str());
}

/* Cloth over a ball. */
inline std::unique_ptr<SOP_Node> drape(int n = 12) {
  auto sop = node();
  sop->inputs[0] = [n](double, GU_Detail &d) {
    sheet(d, n, 1.0f, 0.05f, 1.0f, -0.02f);
    return true;
  };
  sop->inputs[2] = [](double, GU_Detail &d) {
    ball(d, 0.3f, 0, 0.6f, 0);
    return true;
  };
  return sop;
}

}  // namespace stage

#endif
