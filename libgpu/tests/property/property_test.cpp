// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "property/operations.hpp"
#include "property/trial.hpp"

TEST_CASE("random cases agree with the reference") {
    const property::Options& options = property::options();
    if (options.kernels) return;
    const property::Summary summary = property::run_cases(options);
    for (const std::string& failure : summary.failures) FAIL_CHECK(failure);
    std::printf("seed %llu: %lld cases, %lld wrong, %lld elements judged, %lld open, %lld NaN\n",
                static_cast<unsigned long long>(options.seed), static_cast<long long>(summary.cases),
                static_cast<long long>(summary.wrong), static_cast<long long>(summary.judged),
                static_cast<long long>(summary.open), static_cast<long long>(summary.not_numbers));
    if (options.only >= 0 || !summary.failures.empty()) return;
    CHECK(summary.cases == options.cases);
    // A test that judges little proves little.
    if (options.cases >= 1000) {
        CHECK(summary.open < summary.judged / 10);
        CHECK(summary.not_numbers < summary.judged / 5);
    }
}

TEST_CASE("kernels agree with the same bodies as C++ functions") {
    property::Options options = property::options();
    const bool by_itself = options.kernels;
    if (!by_itself && (options.only >= 0 || !options.dump.empty())) return;
    options.kernels = true;
    // Four times each body, in ten calls that share a kernel.
    if (!by_itself) options.cases = std::min<std::int64_t>(options.cases, 40 * property::kernel_body_count());
    CHECK(property::kernel_body_count() >= 40);
    const property::Summary summary = property::run_cases(options);
    for (const std::string& failure : summary.failures) FAIL_CHECK(failure);
    std::printf("kernels, seed %llu: %lld cases, %lld wrong, %lld elements judged, %lld open\n",
                static_cast<unsigned long long>(options.seed), static_cast<long long>(summary.cases),
                static_cast<long long>(summary.wrong), static_cast<long long>(summary.judged),
                static_cast<long long>(summary.open));
    if (options.only < 0) CHECK(summary.open < summary.judged / 10);
}

TEST_CASE("a planted wrong element is found, and reported with the program that repeats it") {
    property::Options options;
    options.seed = 3;
    int planted = 0;
    for (std::int64_t number = 0; number < 100; number += 10) {
        property::Trial trial;
        REQUIRE(property::run_case(options, number, 1, trial).problem.empty());
        CHECK(trial.program.find(" = ") != std::string::npos);
        for (std::size_t k = 0; k < trial.want.values.size(); ++k) {
            const property::Element& want = trial.want.values[k];
            if (!property::is_known(want) || want.re != want.re) continue;
            property::Trial wrong = trial;
            wrong.got.values[k].re = property::not_a_number;
            CHECK_FALSE(property::judge(wrong).problem.empty());
            wrong.got.values[k].re = want.re + 1.01L * want.error + (want.error > 0 ? 0 : 1);
            CHECK_FALSE(property::judge(wrong).problem.empty());
            ++planted;
            break;
        }
    }
    CHECK(planted > 3);
}

TEST_CASE("bounds are a few units in the last place for one operation, and grow with cancellation") {
    using property::Element;
    const auto bound = [](const char* spelling, Element a, Element b) {
        for (const property::Operation& row : property::operations()) {
            if (row.spelling != spelling) continue;
            const gpu::DType types[] = {gpu::DType::float32, gpu::DType::float32};
            const Element operands[] = {a, b};
            return row.evaluate(gpu::DType::float32, types, operands).error;
        }
        return property::infinity;
    };
    const property::Real eps = 0x1p-23L;
    CHECK(bound("a + b", {1, 0, 0}, {2, 0, 0}) < 2 * eps);
    CHECK(bound("a * b", {3, 0, 0}, {2, 0, 0}) < 4 * eps);
    CHECK(bound("gpu::pow(a, b)", {2, 0, 0}, {3, 0, 0}) < 70 * eps);
    CHECK(bound("a - b", {1, 0, eps}, {1, 0, 0}) > 0.99L * eps);        // all that is left is error
    CHECK(bound("a / b", {1, 0, 0}, {0.01L, 0, eps}) > 9'000 * eps);    // conditioning: 1 / b^2
    CHECK_FALSE(bound("a / b", {1, 0, 0}, {eps / 2, 0, eps}) < 1e30L);  // nothing can be said
    CHECK_FALSE(bound("gpu::floor(a)", {2, 0, eps}, {}) < 1e30L);
}
