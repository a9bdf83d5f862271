/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two sweeps of prefactor_sweep.h. Whoever includes this defines TARGET, FORWARD and BACKWARD
 * (names), vec, LOAD(p), STORE(p, v), SPREAD(x), ADD_PRODUCT(a, b, c): c + a b, and
 * SUB_PRODUCT(a, b, c): c - a b.
 *
 * Rows of L pass by four at a time: a row of x is then fetched once for four of its products.
 */

TARGET static void FORWARD(const prefactor_front *f, prefactor_row *x) {
  prefactor_row *own = x + f->first;
  const double *l = f->l;
  int width = f->width, r = 0;
  for (; r < width; r++, l += width) {
    vec sum = LOAD(own[r].at);
    for (int j = 0; j < r; j++) sum = SUB_PRODUCT(SPREAD(l[j]), LOAD(own[j].at), sum);
    STORE(own[r].at, sum * SPREAD(l[r]));
  }
  const int32_t *to = f->target;
  for (; r + 4 <= f->height; r += 4, l += 4 * width, to += 4) {
    const double *l1 = l + width, *l2 = l1 + width, *l3 = l2 + width;
    vec s0 = LOAD(x[to[0]].at), s1 = LOAD(x[to[1]].at);
    vec s2 = LOAD(x[to[2]].at), s3 = LOAD(x[to[3]].at);
    for (int j = 0; j < width; j++) {
      vec y = LOAD(own[j].at);
      s0 = SUB_PRODUCT(SPREAD(l[j]), y, s0);
      s1 = SUB_PRODUCT(SPREAD(l1[j]), y, s1);
      s2 = SUB_PRODUCT(SPREAD(l2[j]), y, s2);
      s3 = SUB_PRODUCT(SPREAD(l3[j]), y, s3);
    }
    STORE(x[to[0]].at, s0);
    STORE(x[to[1]].at, s1);
    STORE(x[to[2]].at, s2);
    STORE(x[to[3]].at, s3);
  }
  for (; r < f->height; r++, l += width, to++) {
    vec sum = LOAD(x[to[0]].at);
    for (int j = 0; j < width; j++) sum = SUB_PRODUCT(SPREAD(l[j]), LOAD(own[j].at), sum);
    STORE(x[to[0]].at, sum);
  }
}

TARGET static void BACKWARD(const prefactor_front *f, prefactor_row *x) {
  prefactor_row *own = x + f->first;
  int width = f->width, r = width;
  const double *l = f->l + (size_t)width * (size_t)width;
  const int32_t *from = f->target;
  for (; r + 4 <= f->height; r += 4, l += 4 * width, from += 4) {
    const double *l1 = l + width, *l2 = l1 + width, *l3 = l2 + width;
    vec y0 = LOAD(x[from[0]].at), y1 = LOAD(x[from[1]].at);
    vec y2 = LOAD(x[from[2]].at), y3 = LOAD(x[from[3]].at);
    for (int j = 0; j < width; j++) {
      vec sum = LOAD(own[j].at), more = SPREAD(l2[j]) * y2;
      sum = SUB_PRODUCT(SPREAD(l[j]), y0, sum);
      more = ADD_PRODUCT(SPREAD(l3[j]), y3, more);
      sum = SUB_PRODUCT(SPREAD(l1[j]), y1, sum);
      STORE(own[j].at, sum - more);
    }
  }
  for (; r < f->height; r++, l += width, from++) {
    vec y = LOAD(x[from[0]].at);
    for (int j = 0; j < width; j++)
      STORE(own[j].at, SUB_PRODUCT(SPREAD(l[j]), y, LOAD(own[j].at)));
  }
  for (r = width - 1; r >= 0; r--) {
    const double *row = f->l + (size_t)r * (size_t)width;
    vec y = LOAD(own[r].at) * SPREAD(row[r]);
    STORE(own[r].at, y);
    for (int j = 0; j < r; j++) STORE(own[j].at, SUB_PRODUCT(SPREAD(row[j]), y, LOAD(own[j].at)));
  }
}

#undef TARGET
#undef FORWARD
#undef BACKWARD
#undef vec
#undef LOAD
#undef STORE
#undef SPREAD
#undef ADD_PRODUCT
#undef SUB_PRODUCT
