// SPDX-License-Identifier: GPL-3.0-or-later
//
// SOP_Tribo: the node "Tribo Solver". It copies inputs into plain arrays, asks the session for a
// frame, and puts the answer into its geometry. What happens in between is C (logic/), and knows
// nothing of Houdini.
#ifndef SOP_TRIBO_H
#define SOP_TRIBO_H

#include <SOP/SOP_Node.h>

#include "logic/session.h"

class UT_AutoInterrupt;

class SOP_Tribo : public SOP_Node {
 public:
  static OP_Node *create(OP_Network *net, const char *name, OP_Operator *op);
  static PRM_Template *templates();

 protected:
  SOP_Tribo(OP_Network *net, const char *name, OP_Operator *op);
  ~SOP_Tribo() override;

  OP_ERROR cookMySop(OP_Context &context) override;
  OP_ERROR cookMyGuide1(OP_Context &context) override;

 private:
  friend struct Cook;

  static int reset(void *data, int index, fpreal time, const PRM_Template *);
  static int writeBundle(void *data, int index, fpreal time, const PRM_Template *);

  bool evaluate(OP_Context &context, hou_settings &settings);
  bool readInput(OP_Context &context, int input, double frame, hou_input *into, tribo_error *err);
  void show(const hou_view &view);
  void tell(const hou_say &said);
  int bundle(OP_Context &context);

  hou_session *mySession;
};

#endif
