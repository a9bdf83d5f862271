/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench_ccd_queries: what the step limit (proximity/step_limit.h) says of collision queries with a
 * known answer, such as the sample queries of the project Continuous-Collision-Detection.
 *
 *   bench_ccd_queries FILE.csv...      format: tests/core/proximity/queries.h
 *   bench_ccd_queries --quick          the queries of the tests
 *
 * Fails when a hit is overlooked, or when 8% of the misses are called a hit.
 */
#include "../core/proximity/queries.h"
#include "measure.h"

int main(int argc, char **argv) {
  queries_count count = {0};
  double began = thread_seconds();
  static char *const own[] = {"", TRIBO_SOURCE_DIR "/tests/core/proximity/vertex-face.csv",
                              TRIBO_SOURCE_DIR "/tests/core/proximity/edge-edge.csv"};
  bool quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
  for (int i = 1; i < (quick ? 3 : argc); i++)
    if (!queries_read(quick ? own[i] : argv[i], &count)) {
      fprintf(stderr, "bench_ccd_queries: cannot read %s\n", argv[i]);
      return 2;
    }
  long all = count.hits + count.misses;
  printf("%ld hits, %ld overlooked; %ld misses, %ld false alarms (%.2f%%); %.2f us a query\n",
         count.hits, count.overlooked, count.misses, count.false_alarms,
         100. * (double)count.false_alarms / fmax(1, (double)count.misses),
         1e6 * (thread_seconds() - began) / fmax(1, (double)all));
  bool fine = all > 0 && count.overlooked == 0 &&
              (double)count.false_alarms < 0.08 * fmax(1, (double)count.misses);
  return fine ? 0 : 1;
}
