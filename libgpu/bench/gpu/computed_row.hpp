// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bench.hpp"

// Rows that compute a new result of inputs drawn for them, and are judged on the host.
namespace bench {

/// What a row says of itself besides its computation.
struct About {
    double bytes_per_element = 0;  ///< that a call has to move; 0: the row has no limit
    std::int64_t largest = 0;  ///< of a row that grows
    std::int64_t size = 0;
};

/// A row that computes a result of inputs, which `wrong(inputs, result)` judges.
template <class Make, class Compute, class Wrong>
Row row(const std::string& name, const About& about, Make make, Compute compute, Wrong wrong) {
    using Inputs = decltype(make(std::int64_t{}));
    using Result = decltype(compute(std::declval<const Inputs&>()));
    struct Run {
        Inputs inputs;
        std::optional<Result> result;
    };
    const auto measured = [=](Bench&, std::int64_t n) {
        const auto run = std::make_shared<Run>(Run{make(n), {}});
        return Case{.call = [=] { run->result.emplace(compute(run->inputs)); },
                    .wrong = [=] { return wrong(run->inputs, *run->result); },
                    .bytes = about.bytes_per_element * static_cast<double>(n),
                    .limit = about.bytes_per_element > 0 ? Limit::stream : Limit::none};
    };
    return {.name = name,
            .make = measured,
            .grows = about.largest > 0,
            .size = about.size,
            .largest = about.largest,
            .share = 4};
}

/// What is wrong if not all of n elements are right: how many.
template <class IsRight>
std::string count_wrong(std::int64_t n, IsRight is_right) {
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < n; ++i) wrong += !is_right(i);
    if (wrong == 0) return {};
    return std::to_string(wrong) + " of " + std::to_string(n) + " elements differ from the double reference";
}

/// Whether a value is within `allowed` of what is expected, relative to it where it is larger than 1.
inline bool is_near(double value, double expected, double allowed) {
    return std::abs(value - expected) <= allowed * std::max(1.0, std::abs(expected));
}

}  // namespace bench
