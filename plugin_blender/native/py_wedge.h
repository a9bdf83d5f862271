/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * py_wedge: wedges and farms (tribo/wedge.h) as functions of the module.
 */
#ifndef NATIVE_PY_WEDGE_H
#define NATIVE_PY_WEDGE_H

#include "native.h"

PyObject *py_wedge_write(PyObject *module, PyObject *args);
PyObject *py_wedge_report(PyObject *module, PyObject *args);
PyObject *py_wedge_sheet(PyObject *module, PyObject *args);
PyObject *py_wedge_begin(PyObject *module, PyObject *args);
PyObject *py_wedge_end(PyObject *module, PyObject *args);
PyObject *py_read_scene(PyObject *module, PyObject *args);
PyObject *py_farm_engines(PyObject *module, PyObject *args);
PyObject *py_farm_write(PyObject *module, PyObject *args, PyObject *keywords);

#endif
