/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stretch forces of projective_cloth.h, four triangles at a time, and what a node sums. Whoever
 * includes this defines TARGET, NAME(function), and SQRT(v) of a quad.
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
#define WHERE(mask, a)  ((quad)((mask) & (quad_mask)(a)))
#define OR_ONE(mask, a) ((quad)(((mask) & (quad_mask)(a)) | (~(mask) & (quad_mask)one)))
#define DOT(a, b)       (a[0] * b[0] + a[1] * b[1] + a[2] * b[2])

TARGET static void NAME(stretch)(const projective_stretch *s, const vec4 *x, size_t begin,
                                 size_t end) {
  const quad zero = {0}, one = {1, 1, 1, 1};
  for (size_t e = begin * LANES; e < end * LANES; e += LANES) {
    quad r1[4], r2[4], e1[3], e2[3], f0[3], f1[3], g1[3], g2[3];
    for (size_t l = 0; l < LANES; l++) {
      quad x0 = AT(x[s->corner[0][e + l]].at);
      r1[l] = AT(x[s->corner[1][e + l]].at) - x0;
      r2[l] = AT(x[s->corner[2][e + l]].at) - x0;
    }
    COLUMNS(r1, e1);
    COLUMNS(r2, e2);
    quad b0 = AT(s->b[0] + e), b1 = AT(s->b[1] + e), b2 = AT(s->b[2] + e), b3 = AT(s->b[3] + e);
    for (int k = 0; k < 3; k++) f0[k] = b0 * e1[k] + b2 * e2[k], f1[k] = b1 * e1[k] + b3 * e2[k];

    /* |f0 x f1| = j, tr S; 1/j and 1/tr S of one division, and so 1/|f0| and 1/|f1| */
    quad c00 = DOT(f0, f0), c01 = DOT(f0, f1), c11 = DOT(f1, f1);
    quad j2 = c00 * c11 - c01 * c01, size = c00 + c11;
    quad_mask wide = j2 > THIN * THIN * size * size;
    quad j = SQRT(WHERE(wide, j2)), trace = SQRT(size + 2 * j), l0 = SQRT(c00), l1 = SQRT(c11);
    quad some_j = OR_ONE(wide, j), some_trace = OR_ONE(trace > zero, trace);
    quad some_l0 = OR_ONE(l0 > zero, l0), some_l1 = OR_ONE(l1 > zero, l1);
    quad inverse = one / (some_j * some_trace), inverse_l = one / (some_l0 * some_l1);
    quad per_j = WHERE(wide, some_trace * inverse);
    quad per_trace = WHERE(trace > zero, some_j * inverse);
    quad per_l0 = WHERE(l0 > zero, some_l1 * inverse_l);
    quad per_l1 = WHERE(l1 > zero, some_l0 * inverse_l);

    /* R = F Q; dW/dF = F A */
    quad q00 = (1 + c11 * per_j) * per_trace, q11 = (1 + c00 * per_j) * per_trace;
    quad q01 = -c01 * per_j * per_trace;
    quad polar = AT(s->polar + e), on_r = AT(s->trace + e) * (trace - 2) - polar;
    quad a00 = polar + on_r * q00 + AT(s->thread[0] + e) * (1 - per_l0), a01 = on_r * q01;
    quad a11 = polar + on_r * q11 + AT(s->thread[1] + e) * (1 - per_l1);
    for (int k = 0; k < 3; k++) {
      quad p0 = a00 * f0[k] + a01 * f1[k], p1 = a01 * f0[k] + a11 * f1[k];
      g1[k] = b0 * p0 + b1 * p1;
      g2[k] = b2 * p0 + b3 * p1;
    }
    ROWS(g1, r1);
    ROWS(g2, r2);
    for (size_t l = 0; l < LANES; l++) {
      quad *force = (quad *)s->force[3 * (e + l)].at;
      force[0] = r1[l] + r2[l];
      force[1] = -r1[l];
      force[2] = -r2[l];
    }
  }
}

/* Every node gathers what concerns it, always in the same order. */
TARGET static void NAME(gather)(const projective_cloth *c, const vec4 *x, size_t node, vec4 *out) {
  const bcsr_pattern *pattern = &c->model->pattern;
  quad sum = {0}, bent = {0};
  for (int32_t k = c->stretched.start[node]; k < c->stretched.start[node + 1]; k++)
    sum += AT(c->stretch.force[c->stretched.at[k]].at);
  if (c->bends)
    for (int32_t k = pattern->row_start[node]; k < pattern->row_start[node + 1]; k++)
      bent += c->bending[k] * AT(x[pattern->columns[k]].at);
  if (c->fold_count > 0)
    for (int32_t k = c->folded.start[node]; k < c->folded.start[node + 1]; k++)
      sum += AT(c->fold_force[c->folded.at[k]].at);
  *(quad *)out->at = sum - bent;
}

#undef COLUMNS
#undef ROWS
#undef AT
#undef WHERE
#undef OR_ONE
#undef DOT
#undef TARGET
#undef NAME
#undef SQRT
