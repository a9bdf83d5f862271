/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base_api: what of tribo/base.h needs to know the rooms above base.
 */
#include <string.h>

#include "geom/tetrahedralise.h"
#include "io/fclib.h"
#include "io/image_exr.h"
#include "ipopt/ipopt_options.h"
#include "linsys/linsys.h"
#include "tribo/base.h"

bool tribo_available(const char *part) {
  static const struct {
    const char *name;
    bool (*there)(void);
  } parts[] = {{"ipopt", ipopt_available},
               {"openexr", image_exr_available},
               {"hdf5", fclib_available},
               {"tetgen", tetrahedralise_available},
               {"pardiso", linsys_pardiso_available}};
  for (size_t i = 0; part && i < sizeof parts / sizeof *parts; i++)
    if (strcmp(parts[i].name, part) == 0) return parts[i].there();
  return false;
}
