// SPDX-License-Identifier: MIT
#include "runtime/benchmark.hpp"

#include <doctest/doctest.h>

#include <vector>

using gpu::detail::summarised;

TEST_CASE("times are summarised: median, extremes, mean, deviation of a sample") {
    const gpu::Timings odd = summarised({5, 1, 3});
    CHECK(odd.median_us == 3);
    CHECK(odd.min_us == 1);
    CHECK(odd.max_us == 5);
    CHECK(odd.mean_us == doctest::Approx(3));
    CHECK(odd.stddev_us == doctest::Approx(2));
    CHECK(odd.samples_us == std::vector<double>{5, 1, 3});
    const gpu::Timings even = summarised({4, 1, 2, 9});
    CHECK(even.median_us == 3);
    CHECK(even.mean_us == doctest::Approx(4));
    const gpu::Timings one = summarised({7});
    CHECK(one.median_us == 7);
    CHECK(one.stddev_us == 0);
}
