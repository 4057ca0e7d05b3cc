// SPDX-License-Identifier: MIT
#include <course/check.hpp>

GRADER_TASK(twice, "number") {
    for (int x : {7, 0, -5}) {
        next_case("x = " + std::to_string(x));
        call("twice", x).returns(2.0 * x);
    }
}

GRADER_TASK(twice, "list") {
    for (int n : {3, 1000}) {
        auto x = draw.uniform(n, -1, 1);
        call("doubled", x).returns(2 * x.cast<double>());
    }
}
