/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cloth over a cylinder at three resolutions of each: the threshold, by bisection
 * (tests/physics/lab_capstan.h).
 */
#include "physics/lab_capstan.h"

static void threshold__is_that_of_the_formula_at_any_resolution(void **unused) {
  (void)unused;
  const int cells[3] = {7, 16, 30}, sides[3] = {7, 16, 30};
  const double width[3] = {1, 1, 0.2}; /* a strip of the finest cloth tells as much, much sooner */
  const double formula = capstan_formula(1.6 / LAB_PI, 1.6, 0.8);
  double least = INFINITY, most = 0;
  claim_near(formula, 0.14015161654962588, 1e-12);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double penetration,
          found = capstan_threshold(&(capstan){cells[i], width[i], sides[j]}, &penetration);
      print_message("    %2d cells, %2d sides: %.4f, %+.1f%%; %.1e m deep\n", cells[i], sides[j],
                    found, 100 * (found / formula - 1), penetration);
      claim_near(found, formula, 0.03 * formula);
      claim_below(penetration, 1e-4 * 4); /* of the length of the cloth */
      least = fmin(least, found);
      most = fmax(most, found);
    }
  claim_below(most - least, 0.03 * formula);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threshold__is_that_of_the_formula_at_any_resolution),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
