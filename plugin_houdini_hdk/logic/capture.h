/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * capture: what a node's inputs held over time, in one file, for the program tribo-houdini. It is
 * how the asset that needs no HDK hands its geometry over, and everything that the SOP reads fits.
 *
 * Lines of text, and arrays behind some of them: little-endian floats of 4 bytes, whole numbers of
 * 4, bytes. Samples come as a bundle asks for them: the three inputs of the start frame, then those
 * of every later one.
 *
 *   tribo-capture 1
 *   fps 24
 *   end 40
 *   set NAME VALUE                 a parameter, as hou_settings_set takes it
 *   sample INPUT FRAME             0 parts: nothing is connected
 *   part POINTS PRIMS CORNERS LABEL
 *   positions                      + 3 floats a point
 *   types                          + a byte a primitive (hou_prim)
 *   lengths                        + a whole number a primitive: its corners
 *   corners                        + a whole number a corner: its point
 *   same                           in place of these three: as in this input's first sample
 *   pinned                         + a byte a point
 *   reals NAME OWNER               + floats; OWNER: point, vertex, primitive, detail
 *   wholes NAME OWNER              + whole numbers
 *   words NAME OWNER COUNT         + COUNT lines, then whole numbers that choose one
 *   end
 */
#ifndef HOUDINI_CAPTURE_H
#define HOUDINI_CAPTURE_H

#include "session.h"

typedef struct hou_capture hou_capture;

/* Reads up to the first sample. */
tribo_status hou_capture_open(const char *path, hou_capture **out, tribo_error *err);
void hou_capture_close(hou_capture *c);

/* A host whose inputs are those of the file. */
hou_host hou_capture_host(hou_capture *c);
const hou_settings *hou_capture_settings(const hou_capture *c);
int hou_capture_end(const hou_capture *c);

#endif
