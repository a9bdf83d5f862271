/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz_mesh.h"
#include "io/obj.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_mesh(obj_parse, data, size);
  return 0;
}
