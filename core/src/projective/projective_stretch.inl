/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stretch forces of projective_cloth.h, some triangles at a time, and what a node sums. Whoever
 * includes this defines TARGET, NAME(function), WIDTH, the number of triangles, a multiple of four;
 * lanes and lanes_mask, vectors of as many doubles and integers; SQRT(v) of lanes; and how quads
 * make lanes, JOIN(quads), and are a part of them, PART(lanes, which).
 */

/* Four rows of x, y, z become the vectors of all x, y and z. */
#define COLUMNS(r, c)                                                                              \
  do {                                                                                             \
    quad even_ = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6);                                  \
    quad odd_ = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);                                   \
    quad more_even_ = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6);                             \
    quad more_odd_ = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);                              \
    c[0] = __builtin_shufflevector(even_, more_even_, 0, 1, 4, 5);                                 \
    c[1] = __builtin_shufflevector(odd_, more_odd_, 0, 1, 4, 5);                                   \
    c[2] = __builtin_shufflevector(even_, more_even_, 2, 3, 6, 7);                                 \
  } while (0)

/* And back; the fourth number of a row is 0. */
#define ROWS(c, r)                                                                                 \
  do {                                                                                             \
    const quad zero_ = {0};                                                                        \
    quad even_ = __builtin_shufflevector(c[0], c[1], 0, 4, 2, 6);                                  \
    quad odd_ = __builtin_shufflevector(c[0], c[1], 1, 5, 3, 7);                                   \
    quad more_even_ = __builtin_shufflevector(c[2], zero_, 0, 4, 2, 6);                            \
    quad more_odd_ = __builtin_shufflevector(c[2], zero_, 1, 5, 3, 7);                             \
    r[0] = __builtin_shufflevector(even_, more_even_, 0, 1, 4, 5);                                 \
    r[1] = __builtin_shufflevector(odd_, more_odd_, 0, 1, 4, 5);                                   \
    r[2] = __builtin_shufflevector(even_, more_even_, 2, 3, 6, 7);                                 \
    r[3] = __builtin_shufflevector(odd_, more_odd_, 2, 3, 6, 7);                                   \
  } while (0)

#define AT(p)           (*(const quad *)(p))
#define OF(p)           (*(const lanes *)(p))
#define WHERE(mask, a)  ((lanes)((mask) & (lanes_mask)(a)))
#define OR_ONE(mask, a) ((lanes)(((mask) & (lanes_mask)(a)) | (~(mask) & (lanes_mask)one)))
#define DOT(a, b)       (a[0] * b[0] + a[1] * b[1] + a[2] * b[2])

TARGET static void NAME(stretch)(const projective_stretch *s, const vec4 *x, size_t begin,
                                 size_t end) {
  enum { QUADS = WIDTH / 4 };
  const lanes zero = {0}, one = zero + 1;
  for (size_t e = begin * BLOCK; e < end * BLOCK; e += WIDTH) {
    lanes e1[3], e2[3], f0[3], f1[3], g1[3], g2[3];
    quad part1[3][QUADS], part2[3][QUADS];
    for (size_t q = 0; q < QUADS; q++) {
      quad r1[4], r2[4], c1[3], c2[3];
      for (size_t l = 0; l < 4; l++) {
        size_t t = e + 4 * q + l;
        quad x0 = AT(x[s->corner[0][t]].at);
        r1[l] = AT(x[s->corner[1][t]].at) - x0;
        r2[l] = AT(x[s->corner[2][t]].at) - x0;
      }
      COLUMNS(r1, c1);
      COLUMNS(r2, c2);
      for (int k = 0; k < 3; k++) part1[k][q] = c1[k], part2[k][q] = c2[k];
    }
    for (int k = 0; k < 3; k++) e1[k] = JOIN(part1[k]), e2[k] = JOIN(part2[k]);
    lanes b0 = OF(s->b[0] + e), b1 = OF(s->b[1] + e), b2 = OF(s->b[2] + e), b3 = OF(s->b[3] + e);
    for (int k = 0; k < 3; k++) f0[k] = b0 * e1[k] + b2 * e2[k], f1[k] = b1 * e1[k] + b3 * e2[k];

    /* |f0 x f1| = j, tr S; 1/j and 1/tr S of one division, and so 1/|f0| and 1/|f1| */
    lanes c00 = DOT(f0, f0), c01 = DOT(f0, f1), c11 = DOT(f1, f1);
    lanes j2 = c00 * c11 - c01 * c01, size = c00 + c11;
    lanes_mask wide = j2 > THIN * THIN * size * size;
    lanes j = SQRT(WHERE(wide, j2)), trace = SQRT(size + 2 * j), l0 = SQRT(c00), l1 = SQRT(c11);
    lanes some_j = OR_ONE(wide, j), some_trace = OR_ONE(trace > zero, trace);
    lanes some_l0 = OR_ONE(l0 > zero, l0), some_l1 = OR_ONE(l1 > zero, l1);
    lanes inverse = one / (some_j * some_trace), inverse_l = one / (some_l0 * some_l1);
    lanes per_j = WHERE(wide, some_trace * inverse);
    lanes per_trace = WHERE(trace > zero, some_j * inverse);
    lanes per_l0 = WHERE(l0 > zero, some_l1 * inverse_l);
    lanes per_l1 = WHERE(l1 > zero, some_l0 * inverse_l);

    /* R = F Q; dW/dF = F A */
    lanes q00 = (1 + c11 * per_j) * per_trace, q11 = (1 + c00 * per_j) * per_trace;
    lanes q01 = -c01 * per_j * per_trace;
    lanes polar = OF(s->polar + e), on_r = OF(s->trace + e) * (trace - 2) - polar;
    lanes a00 = polar + on_r * q00 + OF(s->thread[0] + e) * (1 - per_l0), a01 = on_r * q01;
    lanes a11 = polar + on_r * q11 + OF(s->thread[1] + e) * (1 - per_l1);
    for (int k = 0; k < 3; k++) {
      lanes p0 = a00 * f0[k] + a01 * f1[k], p1 = a01 * f0[k] + a11 * f1[k];
      g1[k] = b0 * p0 + b1 * p1;
      g2[k] = b2 * p0 + b3 * p1;
    }
    for (size_t q = 0; q < QUADS; q++) {
      quad r1[4], r2[4], c1[3], c2[3];
      for (int k = 0; k < 3; k++) c1[k] = PART(g1[k], q), c2[k] = PART(g2[k], q);
      ROWS(c1, r1);
      ROWS(c2, r2);
      for (size_t l = 0; l < 4; l++) {
        quad *force = (quad *)s->force[3 * (e + 4 * q + l)].at;
        force[0] = r1[l] + r2[l], force[1] = -r1[l], force[2] = -r2[l];
      }
    }
  }
}

/* Every node gathers what concerns it, always in the same order. Two sums of bending run side by
 * side: one would wait for its own additions. */
TARGET static void NAME(gather)(const projective_cloth *c, const vec4 *x, size_t begin, size_t end,
                                vec4 *out) {
  const int32_t *column = c->model->pattern.columns, *row = c->model->pattern.row_start;
  const int32_t *start = c->stretched.start, *at = c->stretched.at;
  for (size_t node = begin; node < end; node++) {
    quad sum = {0}, bent = {0}, more = {0};
    for (int32_t k = start[node]; k < start[node + 1]; k++) sum += AT(c->stretch.force[at[k]].at);
    if (c->bends) {
      int32_t k = row[node], last = row[node + 1];
      for (; k + 2 <= last; k += 2) {
        bent += c->bending[k] * AT(x[column[k]].at);
        more += c->bending[k + 1] * AT(x[column[k + 1]].at);
      }
      if (k < last) bent += c->bending[k] * AT(x[column[k]].at);
    }
    if (c->fold_count > 0)
      for (int32_t k = c->folded.start[node]; k < c->folded.start[node + 1]; k++)
        sum += AT(c->fold_force[c->folded.at[k]].at);
    *(quad *)out[node - begin].at = sum - (bent + more);
  }
}

#undef COLUMNS
#undef ROWS
#undef AT
#undef OF
#undef WHERE
#undef OR_ONE
#undef DOT
#undef TARGET
#undef NAME
#undef WIDTH
#undef lanes
#undef lanes_mask
#undef SQRT
#undef JOIN
#undef PART
