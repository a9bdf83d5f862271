/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * py_skin: _tribo.skin, the surface that others touch as arrays to draw.
 */
#ifndef NATIVE_PY_SKIN_H
#define NATIVE_PY_SKIN_H

#include "native.h"

PyObject *py_skin(PyObject *module, PyObject *args, PyObject *keywords);

#endif
