/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "geom/eights.h"

#include <float.h>
#include <math.h>

/* What is taken off a squared distance in floats: more than all their roundings. */
static const float SHORTER = 1 - 0x1p-18F;

/* By how much, relative, a bound in doubles is widened: far more than their roundings. */
static const double SLACK = 1e-6;

/* The squared sine in a triangle that has no normal to rely on. */
static const double THIN = 1e-12;

float eights_above(double x) { return (float)(x + fabs(x) * 0x1p-22 + (double)FLT_MIN); }

/* ---- what every processor can run -------------------------------------------------------------
 */

typedef float four_floats __attribute__((vector_size(16)));
typedef double two_doubles __attribute__((vector_size(16)));
typedef int32_t four_masks __attribute__((vector_size(16)));
typedef int64_t two_masks __attribute__((vector_size(16)));

static inline four_floats larger(four_floats a, four_floats b) {
  four_masks first = a > b;
  return (four_floats)(((four_masks)a & first) | ((four_masks)b & ~first));
}

static inline four_floats roots(four_floats a) {
  return (four_floats){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])};
}

static inline unsigned bits_of_four(four_masks m) {
  m &= (four_masks){1, 2, 4, 8};
  return (unsigned)(m[0] | m[1] | m[2] | m[3]);
}

static inline unsigned bits_of_two(two_masks m) { return (unsigned)((m[0] & 1) | (m[1] & 2)); }

#define TARGET
#define NAME(test)        test##_plain
#define FLOATS            4
#define DOUBLES           2
#define floats            four_floats
#define doubles           two_doubles
#define LOAD_FLOATS(p)    (*(const four_floats *)(p))
#define LOAD_DOUBLES(p)   (*(const two_doubles *)(p))
#define LARGER(a, b)      larger(a, b)
#define ROOTS(v)          roots(v)
#define WIDENED(p)        ((two_doubles){(double)(p)[0], (double)(p)[1]})
#define FLOAT_BITS(mask)  bits_of_four(mask)
#define DOUBLE_BITS(mask) bits_of_two(mask)
#include "geom/eights.inl"

static const eights plain = {reached_plain, limits_plain, crossed_plain, touched_plain};

/* ---- x86-64 -----------------------------------------------------------------------------------
 */

#ifdef __x86_64__
#include <immintrin.h>

#define TARGET            __attribute__((target("avx2")))
#define NAME(test)        test##_avx2
#define FLOATS            8
#define DOUBLES           4
#define floats            __m256
#define doubles           __m256d
#define LOAD_FLOATS(p)    _mm256_load_ps(p)
#define LOAD_DOUBLES(p)   _mm256_load_pd(p)
#define LARGER(a, b)      _mm256_max_ps(a, b)
#define ROOTS(v)          _mm256_sqrt_ps(v)
#define WIDENED(p)        _mm256_cvtps_pd(_mm_load_ps(p))
#define FLOAT_BITS(mask)  (unsigned)_mm256_movemask_ps((__m256)(mask))
#define DOUBLE_BITS(mask) (unsigned)_mm256_movemask_pd((__m256d)(mask))
#include "geom/eights.inl"

static const eights avx2 = {reached_avx2, limits_avx2, crossed_avx2, touched_avx2};

#define TARGET            __attribute__((target("avx512f,avx512dq,avx512vl")))
#define NAME(test)        test##_avx512
#define FLOATS            8
#define DOUBLES           8
#define floats            __m256
#define doubles           __m512d
#define LOAD_FLOATS(p)    _mm256_load_ps(p)
#define LOAD_DOUBLES(p)   _mm512_load_pd(p)
#define LARGER(a, b)      _mm256_max_ps(a, b)
#define ROOTS(v)          _mm256_sqrt_ps(v)
#define WIDENED(p)        _mm512_cvtps_pd(_mm256_load_ps(p))
#define FLOAT_BITS(mask)  (unsigned)_mm256_movemask_ps((__m256)(mask))
#define DOUBLE_BITS(mask) (unsigned)_mm512_movepi64_mask((__m512i)(mask))
#include "geom/eights.inl"

static const eights avx512 = {reached_avx512, limits_avx512, crossed_avx512, touched_avx512};

const eights *eights_best(void) {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return &avx512;
  return __builtin_cpu_supports("avx2") ? &avx2 : &plain;
}
#else
const eights *eights_best(void) { return &plain; }
#endif
