// SPDX-License-Identifier: MIT

// Exercise 5: a stopwatch. exercise.hpp says what it measures, bench.hpp what it can call.

#include "exercise.hpp"

Timing stopwatch(Bench& bench, int repeats) {
    // ---- your code (about 12 lines) ----
    // TODO: Repair this timer. It times one call, the first; it doesn't wait; and from one call nobody knows the next.
    (void)repeats;
    const double start = bench.now_us();
    bench.launch();
    const double took = bench.now_us() - start;
    return {.first_us = took, .median_us = took};
    // ---- end ----
}
