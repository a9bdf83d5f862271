/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tests of eights.h. Whoever includes this defines TARGET, NAME(test), and of vectors of FLOATS
 * floats and DOUBLES doubles: floats, doubles, LOAD_FLOATS(p), LOAD_DOUBLES(p), LARGER(a, b) of
 * floats, ROOTS(v) of floats, WIDENED(p): doubles of floats there, FLOAT_BITS(mask) and
 * DOUBLE_BITS(mask): a bit for each number. A number beside a vector stands for as many of it.
 */

/* d <= near + time s without a root: e = d^2 - near^2 - time^2 s^2 is below 0, or
 * e^2 <= (2 near time s)^2. */
TARGET static unsigned NAME(reached)(const eight_boxes *b, const one_box *q) {
  const floats zero = {0};
  float near2 = q->near * q->near, time2 = q->time * q->time;
  float twice2 = 4 * near2 * time2, most2 = q->most * q->most;
  unsigned bits = 0;
  for (int l = 0; l < EIGHT; l += FLOATS) {
    floats distance2 = zero, speed2 = zero;
    for (int a = 0; a < 3; a++) {
      floats below = LOAD_FLOATS(b->low[a] + l) - q->high[a];
      floats above = q->low[a] - LOAD_FLOATS(b->high[a] + l);
      floats ahead = LOAD_FLOATS(b->fast[a] + l) - q->slow[a];
      floats behind = q->fast[a] - LOAD_FLOATS(b->slow[a] + l);
      floats d = LARGER(LARGER(below, above), zero), s = LARGER(ahead, behind);
      distance2 += d * d;
      speed2 += s * s;
    }
    distance2 *= SHORTER;
    floats e = distance2 - near2 - time2 * speed2;
    bits |= FLOAT_BITS((distance2 <= most2) & ((e <= zero) | (e * e <= twice2 * speed2))) << l;
  }
  return bits;
}

TARGET static void NAME(limits)(const eight_boxes *b, const one_box *q, float limit2[EIGHT]) {
  const floats zero = {0};
  for (int l = 0; l < EIGHT; l += FLOATS) {
    floats speed2 = zero;
    for (int a = 0; a < 3; a++) {
      floats ahead = LOAD_FLOATS(b->fast[a] + l) - q->slow[a];
      floats s = LARGER(ahead, q->fast[a] - LOAD_FLOATS(b->slow[a] + l));
      speed2 += s * s;
    }
    floats limit = q->near + q->time * ROOTS(speed2);
    limit = -LARGER(-limit, zero - q->most); /* the smaller */
    *(floats *)(limit2 + l) = limit * limit * (2 - SHORTER);
  }
}

/* a + s u and b + t w, r = b - a: s and t solve normal equations with the determinant
 * |u|^2 |w|^2 - (u w)^2 = |u x w|^2; the distance of the lines is r (u x w) / |u x w|. */
TARGET static unsigned NAME(crossed)(const eight_edges *edges, const one_edge *q) {
  double uu = q->length2, sine2 = (1 - SLACK) * q->sine * q->sine;
  double most2 = (1 + SLACK) * q->most * q->most;
  const double *u = q->u;
  unsigned bits = 0;
  for (int l = 0; l < EIGHT; l += DOUBLES) {
    doubles r0 = LOAD_DOUBLES(edges->a[0] + l) - q->a[0], w0 = LOAD_DOUBLES(edges->u[0] + l);
    doubles r1 = LOAD_DOUBLES(edges->a[1] + l) - q->a[1], w1 = LOAD_DOUBLES(edges->u[1] + l);
    doubles r2 = LOAD_DOUBLES(edges->a[2] + l) - q->a[2], w2 = LOAD_DOUBLES(edges->u[2] + l);
    doubles ww = LOAD_DOUBLES(edges->length2 + l), uw = u[0] * w0 + u[1] * w1 + u[2] * w2;
    doubles ur = u[0] * r0 + u[1] * r1 + u[2] * r2, wr = w0 * r0 + w1 * r1 + w2 * r2;
    doubles all = uu * ww - uw * uw, least = -SLACK * all, most = all - least;
    doubles s = ur * ww - wr * uw, t = ur * uw - wr * uu; /* times `all` */
    doubles n0 = u[1] * w2 - u[2] * w1, n1 = u[2] * w0 - u[0] * w2, n2 = u[0] * w1 - u[1] * w0;
    doubles apart = r0 * n0 + r1 * n1 + r2 * n2;
    doubles e0 = LOAD_DOUBLES(edges->end[0] + l), e1 = LOAD_DOUBLES(edges->end[1] + l);
    bits |= DOUBLE_BITS((all > sine2 * uu * ww) & (apart * apart <= most2 * all) & (s >= least) &
                        (s <= most) & (t >= least) & (t <= most) & (e0 != q->end[0]) &
                        (e0 != q->end[1]) & (e1 != q->end[0]) & (e1 != q->end[1]) &
                        (LOAD_DOUBLES(edges->number + l) < q->number))
            << l;
  }
  return bits;
}

/* With n = u x w, the point stands above the plane by r n / |n|, and beyond the sides along w, u
 * and w - u by -w1, -w2 and -w0 over |n| and the length of the side. */
TARGET static unsigned NAME(touched)(const eight_triangles *triangles, const one_point *q) {
  const doubles zero = {0};
  unsigned bits = 0;
  for (int l = 0; l < EIGHT; l += DOUBLES) {
    doubles most2 = (1 + SLACK) * WIDENED(q->most2 + l);
    doubles r0 = q->at[0] - LOAD_DOUBLES(triangles->c[0] + l);
    doubles r1 = q->at[1] - LOAD_DOUBLES(triangles->c[1] + l);
    doubles r2 = q->at[2] - LOAD_DOUBLES(triangles->c[2] + l);
    doubles u0 = LOAD_DOUBLES(triangles->u[0] + l), w0 = LOAD_DOUBLES(triangles->w[0] + l);
    doubles u1 = LOAD_DOUBLES(triangles->u[1] + l), w1 = LOAD_DOUBLES(triangles->w[1] + l);
    doubles u2 = LOAD_DOUBLES(triangles->u[2] + l), w2 = LOAD_DOUBLES(triangles->w[2] + l);
    doubles n0 = u1 * w2 - u2 * w1, n1 = u2 * w0 - u0 * w2, n2 = u0 * w1 - u1 * w0;
    doubles nn = n0 * n0 + n1 * n1 + n2 * n2, reach2 = most2 * nn;
    doubles above = r0 * n0 + r1 * n1 + r2 * n2;
    /* r x w and u x r, along n */
    doubles beside_w =
        (r1 * w2 - r2 * w1) * n0 + (r2 * w0 - r0 * w2) * n1 + (r0 * w1 - r1 * w0) * n2;
    doubles beside_u =
        (u1 * r2 - u2 * r1) * n0 + (u2 * r0 - u0 * r2) * n1 + (u0 * r1 - u1 * r0) * n2;
    doubles beside = nn - beside_w - beside_u;
    doubles uu = u0 * u0 + u1 * u1 + u2 * u2, ww = w0 * w0 + w1 * w1 + w2 * w2;
    doubles uw = u0 * w0 + u1 * w1 + u2 * w2, last = uu + ww - 2 * uw;
    bits |= DOUBLE_BITS(((above * above <= reach2) &
                         ((beside_w >= zero) | (beside_w * beside_w <= reach2 * ww)) &
                         ((beside_u >= zero) | (beside_u * beside_u <= reach2 * uu)) &
                         ((beside >= zero) | (beside * beside <= reach2 * last))) |
                        (nn <= THIN * uu * ww))
            << l;
  }
  return bits;
}

#undef TARGET
#undef NAME
#undef FLOATS
#undef DOUBLES
#undef floats
#undef doubles
#undef LOAD_FLOATS
#undef LOAD_DOUBLES
#undef LARGER
#undef ROOTS
#undef WIDENED
#undef FLOAT_BITS
#undef DOUBLE_BITS
