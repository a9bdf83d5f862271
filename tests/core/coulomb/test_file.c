/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contact problems in files: what is written is read again to the bit, in every storage; what is
 * wrong is said. Without HDF5 there is nothing to test: 77 says so.
 */
#include <sys/stat.h>

#include "base/file.h"
#include "bench/piles.h"
#include "claims.h"
#include "contact/contact_export.h"
#include "coulomb/contact_solver.h"
#include "scratch.h"
#include "tribo/contact_problem.h"

static void make_wall(contact_coefficients grip, contact_stored *out) {
  pile p = pile_wall(3, 2, grip);
  pile_shake(&p, 0.2, 0.2, 3);
  pile_problem(&p, "a small wall", out);
  pile_free(&p);
}

static void make(contact_coefficients grip, contact_stored *out) {
  make_wall(grip, out);
  uint64_t seed = 4;
  /* Not symmetric, so that rows and columns cannot be mixed up unseen. */
  for (int32_t k = 0; k < bcsr_block_count(&out->pattern); k++)
    out->problem.w.blocks[k].m[0][1] *= 1 + 1e-3 * claim_random(&seed);
  for (size_t i = 0; i < contact_problem_count(&out->problem); i++)
    out->r[i] = vec3_make(claim_random(&seed), claim_random(&seed), claim_random(&seed));
}

static void claim_same(const contact_stored *a, const contact_stored *b) {
  size_t n = contact_problem_count(&a->problem);
  assert_int_equal(contact_problem_count(&b->problem), n);
  assert_int_equal(bcsr_block_count(&b->pattern), bcsr_block_count(&a->pattern));
  size_t blocks = (size_t)bcsr_block_count(&a->pattern);
  assert_memory_equal(a->pattern.columns, b->pattern.columns, blocks * sizeof(int32_t));
  assert_memory_equal(a->problem.w.blocks, b->problem.w.blocks, blocks * sizeof(mat3));
  assert_memory_equal(a->problem.q, b->problem.q, n * sizeof(vec3));
  assert_memory_equal(a->problem.grip, b->problem.grip, n * sizeof(contact_coefficients));
}

static void files__give_back_what_was_written(void **unused) {
  (void)unused;
  fclib_storage storages[] = {FCLIB_TRIPLET, FCLIB_COLUMNS, FCLIB_ROWS};
  contact_coefficients grips[] = {{0.5, 0.5}, {0.2, 0.7}};
  for (int k = 0; k < 6; k++) {
    contact_stored made, read;
    make(grips[k / 3], &made);
    const char *path = scratch_path("round.hdf5");
    claim_ok(contact_file_write(path, &made.problem, k % 2 ? made.r : NULL, made.title,
                                storages[k % 3], err));
    claim_ok(contact_file_read(path, &read, err));
    claim_same(&made, &read);
    assert_string_equal(read.title, "a small wall");
    assert_int_equal(read.given, k % 2);
    size_t bytes = contact_problem_count(&made.problem) * sizeof(vec3);
    if (k % 2) assert_memory_equal(read.r, made.r, bytes);
    contact_stored_free(&made);
    contact_stored_free(&read);
  }
}

static void api__solves_a_file_and_keeps_the_answer(void **unused) {
  (void)unused;
  contact_stored made;
  make_wall((contact_coefficients){0.5, 0.3}, &made);
  const char *path = scratch_path("solve.hdf5"), *solved = scratch_path("solved.hdf5");
  claim_ok(contact_file_write(path, &made.problem, NULL, "", FCLIB_COLUMNS, err));
  tribo_contact_problem *problem;
  tribo_contact_info info;
  tribo_contact_report report;
  claim_ok(tribo_contact_problem_read(path, &problem, err));
  claim_ok(tribo_contact_problem_about(problem, &info, err));
  assert_int_equal(info.contacts, contact_problem_count(&made.problem));
  assert_int_equal(info.elliptic, info.contacts);
  assert_false(info.has_impulses);
  claim_near(info.mu_low, 0.3, 0);
  claim_near(info.mu_high, 0.5, 0);
  claim_ok(tribo_contact_problem_solve(problem, NULL, &report, err));
  assert_true(report.converged);
  claim_fails(tribo_contact_problem_solve(
                  problem, &(tribo_contact_options){.solver = "gaus-seidel"}, &report, err),
              TRIBO_BAD_INPUT, "gauss-seidel");
  claim_ok(tribo_contact_problem_write(problem, solved, err));
  tribo_contact_problem_free(problem);
  claim_ok(tribo_contact_problem_read(solved, &problem, err));
  claim_ok(tribo_contact_problem_about(problem, &info, err));
  assert_true(info.has_impulses);
  claim_below(info.residual, 1e-8);
  tribo_contact_problem_free(problem);
  contact_stored_free(&made);
}

static void a_step_s_problem__lands_in_its_folder(void **unused) {
  (void)unused;
  contact_set set = {.start = (size_t[]){0}};
  friction_problem none = {.set = &set};
  claim_ok(contact_export_write(&none, scratch_path("steps"), 12, err));
  contact_stored read;
  claim_ok(contact_file_read(scratch_path("steps/contacts_000012.hdf5"), &read, err));
  assert_int_equal(contact_problem_count(&read.problem), 0);
  contact_stored_free(&read);
}

/* ---- what is wrong is said ---- */

static fclib_problem raw(void) {
  static int32_t row[] = {0, 1, 2}, column[] = {0, 1, 2};
  static double value[] = {1, 1, 1}, q[] = {-1, 0, 0}, mu[] = {0.5};
  return (fclib_problem){
      .contacts = 1, .entries = 3, .row = row, .column = column, .value = value, .q = q, .mu = mu};
}

static void claim_refused(fclib_problem p, const char *words) {
  contact_stored out;
  const char *path = scratch_path("bad.hdf5");
  claim_ok(fclib_write(path, &p, FCLIB_TRIPLET, err));
  claim_fails(contact_file_read(path, &out, err), TRIBO_BAD_INPUT, words);
}

static void faults__are_named(void **unused) {
  (void)unused;
  contact_stored out;
  fclib_problem p = raw();
  claim_fails(contact_file_read(scratch_path("none.hdf5"), &out, err), TRIBO_BAD_INPUT,
              "none.hdf5");
  claim_ok(file_write(scratch_path("text.hdf5"), "not HDF5 at all", 15, err));
  claim_fails(contact_file_read(scratch_path("text.hdf5"), &out, err), TRIBO_BAD_INPUT, "HDF5");
  p.row = (int32_t[]){0, 7, 2};
  claim_refused(p, "(7, 1)");
  p = raw();
  p.q = (double[]){-1, NAN, 0};
  claim_refused(p, "value 1");
  p = raw();
  p.mu = (double[]){-0.5};
  claim_refused(p, "coefficients");
  p = raw();
  p.value = (double[]){-1, 1, 1};
  claim_refused(p, "diagonal");
}

static void a_file_cut_off_anywhere__is_refused_or_read_but_never_worse(void **unused) {
  (void)unused;
  contact_stored made, out;
  make((contact_coefficients){0.5, 0.5}, &made);
  const char *path = scratch_path("whole.hdf5");
  claim_ok(contact_file_write(path, &made.problem, made.r, "cut", FCLIB_COLUMNS, err));
  file_text text;
  claim_ok(file_read(path, &text, err));
  int refused = 0;
  for (size_t size = 0; size < text.size; size += 1 + text.size / 200) {
    fclib_problem raw_problem;
    tribo_error err = {0};
    if (fclib_parse("cut", text.data, size, &raw_problem, &err) == TRIBO_OK)
      fclib_free(&raw_problem);
    else
      refused++;
  }
  assert_true(refused > 100);
  uint64_t seed = 8;
  for (int k = 0; k < 300; k++) {
    size_t at = (size_t)(claim_random(&seed) * (double)text.size);
    char kept = text.data[at];
    text.data[at] = (char)(int)(claim_random(&seed) * 256);
    fclib_problem raw_problem;
    tribo_error err = {0};
    if (fclib_parse("changed", text.data, text.size, &raw_problem, &err) == TRIBO_OK) {
      if (contact_file_take("changed", &raw_problem, &out, &err) == TRIBO_OK)
        contact_stored_free(&out);
      fclib_free(&raw_problem);
    }
    text.data[at] = kept;
  }
  free(text.data);
  contact_stored_free(&made);
}

/* ---- the collection ---- */

static void files_of_the_collection__are_solved(void **unused) {
  (void)unused;
  const char *names[] = {"Capsules-i101-404", "Confeti-ex03-Fc3D-SBM", "NESpheres_30_1",
                         "OneObject-i100000-316", "Rover1039"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    char path[512];
    struct stat found;
    snprintf(path, sizeof path, "%s/../shared/data/contact_problems/%s.hdf5", TRIBO_SOURCE_DIR,
             names[k]);
    if (stat(path, &found) != 0) {
      print_message("%s is not there: not tested\n", path);
      continue;
    }
    contact_stored s;
    claim_ok(contact_file_read(path, &s, err));
    contact_solve_options options = {.tolerance = 1e-8, .tasks = {2}};
    contact_solve_report report;
    claim_ok(contact_solve(&s.problem, &contact_auto, &options, s.r, &report, err));
    assert_true(report.converged);
    contact_stored_free(&s);
  }
}

int main(void) {
  fclib_problem p;
  tribo_error err;
  if (fclib_read("nothing", &p, &err) == TRIBO_UNAVAILABLE) {
    printf("%s\n", err.message);
    return 77;
  }
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(files__give_back_what_was_written),
      cmocka_unit_test(api__solves_a_file_and_keeps_the_answer),
      cmocka_unit_test(a_step_s_problem__lands_in_its_folder),
      cmocka_unit_test(faults__are_named),
      cmocka_unit_test(a_file_cut_off_anywhere__is_refused_or_read_but_never_worse),
      cmocka_unit_test(files_of_the_collection__are_solved),
  };
  return cmocka_run_group_tests(claims, scratch_create, scratch_remove);
}
