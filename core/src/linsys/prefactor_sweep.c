/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "linsys/prefactor_sweep.h"

#include <stddef.h>

/* What every processor can run; the compiler cuts a row into what the processor has. */
typedef double row_vec __attribute__((vector_size(32), may_alias));
#define TARGET
#define FORWARD              forward_plain
#define BACKWARD             backward_plain
#define vec                  row_vec
#define LOAD(p)              (*(const row_vec *)(p))
#define STORE(p, v)          ((void)(*(row_vec *)(p) = (v)))
#define SPREAD(x)            ((row_vec){(x), (x), (x), (x)})
#define ADD_PRODUCT(a, b, c) ((c) + (a) * (b))
#define SUB_PRODUCT(a, b, c) ((c) - (a) * (b))
#include "linsys/prefactor_sweep.inl"

static const prefactor_sweep plain = {forward_plain, backward_plain};

#ifdef __x86_64__
#include <immintrin.h>

#define TARGET               __attribute__((target("avx2,fma")))
#define FORWARD              forward_avx2
#define BACKWARD             backward_avx2
#define vec                  __m256d
#define LOAD(p)              _mm256_load_pd(p)
#define STORE(p, v)          _mm256_store_pd(p, v)
#define SPREAD(x)            _mm256_set1_pd(x)
#define ADD_PRODUCT(a, b, c) _mm256_fmadd_pd(a, b, c)
#define SUB_PRODUCT(a, b, c) _mm256_fnmadd_pd(a, b, c)
#include "linsys/prefactor_sweep.inl"

static const prefactor_sweep avx2 = {forward_avx2, backward_avx2};

const prefactor_sweep *prefactor_sweep_best(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &avx2 : &plain;
}
#else
const prefactor_sweep *prefactor_sweep_best(void) { return &plain; }
#endif
