/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hypotenuse: sqrt(x^2 + y^2) without overflow or underflow, within 1 ulp.
 *
 * The same as hypot of the C library, with one difference: it is the same bits on every system, and
 * asks for none of them to be new (glibc gave its hypot a version of its own in 2.35, which alone
 * kept the Blender module from loading in older ones).
 */
#ifndef MATH_HYPOTENUSE_H
#define MATH_HYPOTENUSE_H

/* Infinite where x or y is, whatever the other is; else NaN where one of them is NaN. */
double hypotenuse(double x, double y);

#endif
