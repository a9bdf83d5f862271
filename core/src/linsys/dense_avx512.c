/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dense, for x86-64 processors with AVX-512.
 */
#include "linsys/dense.h"

#ifdef __x86_64__
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,fma")))
typedef __m512d vec;
#define LANES                8
#define VECTORS              3
#define MASK(n)              ((__mmask8)((1u << (n)) - 1))
#define LOAD(p)              _mm512_loadu_pd(p)
#define STORE(p, v)          _mm512_storeu_pd(p, v)
#define LOAD_PART(p, n)      _mm512_maskz_loadu_pd(MASK(n), p)
#define STORE_PART(p, n, v)  _mm512_mask_storeu_pd(p, MASK(n), v)
#define SPREAD(x)            _mm512_set1_pd(x)
#define ADD_PRODUCT(a, b, c) _mm512_fmadd_pd(a, b, c)
#define SUB_PRODUCT(a, b, c) _mm512_fnmadd_pd(a, b, c)
#define add_product(a, b, c) __builtin_fma(a, b, c)
#define sub_product(a, b, c) __builtin_fma(-(a), b, c)
#include "linsys/dense_kernels.inl"

static const dense_kernels kernels = {"avx512", true, corner,  carry,
                                      subtract, add,  forward, backward};

const dense_kernels *dense_avx512(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma") ? &kernels : NULL;
}
#else
const dense_kernels *dense_avx512(void) { return NULL; }
#endif
