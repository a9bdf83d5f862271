/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trouble: steps that did not come out as they should: which test failed, at which vertex, between
 * which surfaces, and what to do; as a warning where a bake goes on, and as the error where it
 * stops.
 */
#ifndef METHOD_TROUBLE_H
#define METHOD_TROUBLE_H

#include "base/array.h"
#include "base/log.h"
#include "contact/find.h"

typedef enum trouble_kind {
  TROUBLE_NONE,
  TROUBLE_FORCES,
  TROUBLE_FRICTION,
  TROUBLE_OFF,
  TROUBLE_DEEP,
  TROUBLE_BURIED,  /* a hard pin holds a vertex inside: nothing else is wrong */
  TROUBLE_STOPPED, /* a hard pin, or a collider, does not get past something */
  TROUBLE_RANGE    /* the step left the range of numbers */
} trouble_kind;

typedef struct trouble_time {
  double seconds; /* the step's start */
  int frame;      /* that the step leads to */
} trouble_time;

typedef struct trouble {
  trouble_kind kind;
  trouble_time time;
  double value;        /* metres of a depth and of what is off, relative of forces and friction */
  const char *object;  /* NULL: not known */
  int vertex;          /* -1: the body as a whole */
  const char *surface; /* that it touches; NULL of forces */
  const char *other;   /* that leaves no room on the other side; NULL: none */
} trouble;

/* Names object, vertex and surface of a contact; and of a node. Names are the model's. */
void trouble_at_contact(const contact_finder *finder, const contact_point *c, trouble *out);
void trouble_at_node(const model *m, int32_t node, trouble *out);

/* Of the vertex of a contact that a hard pin holds inside; NULL: none is. */
trouble trouble_of_pin(const contact_finder *finder, const contact_point *buried, double depth,
                       trouble_time time);

/* Into *worst goes the worse of the two. */
void trouble_add(const trouble *one, trouble *worst);

/* Whether anyone could see it: forces that are off by a thousandth of what balances them are not,
 * though they missed a tolerance that was set for measuring. */
bool trouble_shows(const trouble *t);

/* What was warned of already: of gaps and pins each pair of objects once, of the rest each kind. */
typedef struct trouble_told {
  ARRAY(trouble) all;
  bool unseen; /* and one that does not show was noted */
} trouble_told;

void trouble_warn(trouble_told *told, const trouble *t, const log_sink *log);
void trouble_told_free(trouble_told *told);

/* The step cut `cuts` times to h seconds was in vain. why: of the last part. instead: a method that
 * gets through where this one does not; NULL: none. */
typedef struct trouble_cut {
  const char *why, *instead;
  int cuts;
  double h;
} trouble_cut;
tribo_status trouble_fail(const trouble *t, const trouble_cut *cut, tribo_error *err);

#endif
