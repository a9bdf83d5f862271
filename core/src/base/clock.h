/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * clock: seconds, for reports and progress only. No decision may depend on them.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

double clock_seconds(void);

#endif
