// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace course {

/// A result that is wrong somewhere, in double and row-major.
struct WrongResult {
    std::vector<std::int64_t> shape;
    std::span<const double> got, want;
    std::span<const std::int64_t> wrong;                         ///< indices of the wrong elements, increasing
    std::function<bool(double got, std::int64_t want)> fits;     ///< would `got` do for the element `want`?
    std::function<bool(std::int64_t)> unwritten;                 ///< as in a fresh array
    bool unset_was_read = false;                                 ///< a kernel read fresh memory: that may be why
    std::vector<std::span<const double>> inputs;                 ///< array arguments; empty where the size differs
};

/// Where the wrong elements lie: "all in the last block of 256", "every 32nd element, from index 0"; empty: no pattern.
std::string describe_places(std::span<const std::int64_t> wrong, const std::vector<std::int64_t>& shape);

/// What the wrong values have in common: "never written", "transposed", "constant offset +1"; empty: no pattern.
/// A name that tells the whole story ("transposed") comes with `complete` set: the places add nothing then.
struct ValuePattern {
    std::string text;
    bool complete = false;
};
ValuePattern describe_values(const WrongResult& result);

/// Both in one line that follows "wrong: 1 of 257, "; empty: no pattern.
std::string describe(const WrongResult& result);

}  // namespace course
