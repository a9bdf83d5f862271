/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dense, for x86-64 processors with AVX2 and FMA (2013 and later).
 */
#include "linsys/dense.h"

#ifdef __x86_64__
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,fma")))
typedef __m256d vec;
#define LANES                4
#define VECTORS              2
#define MASK(n)              _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3))
#define LOAD(p)              _mm256_loadu_pd(p)
#define STORE(p, v)          _mm256_storeu_pd(p, v)
#define LOAD_PART(p, n)      _mm256_maskload_pd(p, MASK(n))
#define STORE_PART(p, n, v)  _mm256_maskstore_pd(p, MASK(n), v)
#define SPREAD(x)            _mm256_set1_pd(x)
#define ADD_PRODUCT(a, b, c) _mm256_fmadd_pd(a, b, c)
#define SUB_PRODUCT(a, b, c) _mm256_fnmadd_pd(a, b, c)
#define add_product(a, b, c) __builtin_fma(a, b, c)
#define sub_product(a, b, c) __builtin_fma(-(a), b, c)
#include "linsys/dense_kernels.inl"

static const dense_kernels kernels = {"avx2",   true, corner,  carry,
                                      subtract, add,  forward, backward};

const dense_kernels *dense_avx2(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &kernels : NULL;
}
#else
const dense_kernels *dense_avx2(void) { return NULL; }
#endif
