// SPDX-License-Identifier: MIT
#pragma once

// The function to write in exercise 5. Leave this file as it is: your code goes into stopwatch.cpp.

#include <algorithm>
#include <vector>

#include "bench.hpp"

/// What a stopwatch reports, in microseconds.
struct Timing {
    double first_us = 0;   ///< the first call: with all that only happens once
    double median_us = 0;  ///< of the repeats after it
};

/// Times the work of `bench`: what it takes from the launch until it is done.
///
/// The first call is timed alone, then each of `repeats` calls (5 or more) alone, with exactly one wait each, before
/// the clock is read for the second time. Of the repeats the median is reported: the middle one when they are sorted,
/// or halfway between the middle two if their number is even.
Timing stopwatch(Bench& bench, int repeats);
