// SPDX-License-Identifier: MIT

// What exercise NUMBER is checked for. include/course/check.hpp says what a check can do.

#include <course/check.hpp>

GRADER_TASK(TOPIC, "twice") {
    for (int n : sizes::not_empty) {
        auto x = draw.uniform(n, -1, 1);
        call("TOPIC", x).returns(2 * x.cast<double>(), ulps(1));
    }
}
