// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdio>

#include "property/trial.hpp"

TEST_CASE("random cases agree with the reference") {
    const property::Options& options = property::options();
    const property::Summary summary = property::run_cases(options);
    for (const std::string& failure : summary.failures) FAIL_CHECK(failure);
    std::printf("seed %llu: %lld cases, %lld elements judged, %lld open, %lld NaN\n",
                static_cast<unsigned long long>(options.seed), static_cast<long long>(summary.cases),
                static_cast<long long>(summary.judged), static_cast<long long>(summary.open),
                static_cast<long long>(summary.not_numbers));
    if (options.only >= 0 || !summary.failures.empty()) return;
    CHECK(summary.cases == options.cases);
    // A test that judges little proves little.
    if (options.cases >= 1000) {
        CHECK(summary.open < summary.judged / 10);
        CHECK(summary.not_numbers < summary.judged / 5);
    }
}
