/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dense: the choice among kernels, and those that every processor can run.
 */
#include "linsys/dense.h"

#define TARGET
typedef double vec __attribute__((vector_size(16)));
#define LANES   2
#define VECTORS 2
/* Unaligned, and free to alias anything, as memory is. */
typedef double vec_anywhere __attribute__((vector_size(16), aligned(8), may_alias));
#define LOAD(p)              ((vec) * (const vec_anywhere *)(p))
#define STORE(p, v)          ((void)(*(vec_anywhere *)(p) = (v)))
#define LOAD_PART(p, n)      ((void)(n), (vec){*(p), 0})
#define STORE_PART(p, n, v)  ((void)(n), (void)(*(p) = (v)[0]))
#define SPREAD(x)            ((vec){(x), (x)})
#define ADD_PRODUCT(a, b, c) ((c) + (a) * (b))
#define SUB_PRODUCT(a, b, c) ((c) - (a) * (b))
#define add_product(a, b, c) ((c) + (a) * (b))
#define sub_product(a, b, c) ((c) - (a) * (b))
#include "linsys/dense_kernels.inl"

const dense_kernels dense_plain = {"plain", false, corner, carry, subtract, add, forward, backward};

const dense_kernels *dense_best(void) {
  const dense_kernels *wide = dense_avx512();
  if (!wide) wide = dense_avx2();
  return wide ? wide : &dense_plain;
}
