// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <course/check_host.hpp>

#include "run/caller.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// The result of comparing a call's result with what was expected.
struct Comparison {
    bool passed = true;
    std::string message;                   ///< for a wrong shape; what `difference` shows isn't repeated
    std::optional<Difference> difference;
    double worst_error = 0;                ///< in units of the allowed error; finite
};

/// What is known about elements that look like fresh memory.
enum class FreshMemory {
    stayed,     ///< nothing: they look as if they were never written
    was_read,   ///< a kernel read fresh memory, so they may have been computed from it
};

/// True if `got` is within the tolerance: a NaN only if one is expected, an infinity only if the same one is.
bool is_right(double got, double want, double allowed) noexcept;

/// Compares a result with its expected values: those at `positions`, or all if that is empty. If one is wrong, all
/// elements are compared, to find the first wrong one and a common pattern.
///
/// @param name "result", "result 2"
/// @param arguments the call's, for the pattern "argument 1 returned unchanged"
Comparison compare(const std::string& name, const Value& got, const Expected& want, std::span<const Value> arguments,
                   std::span<const std::int64_t> positions = {}, FreshMemory fresh = FreshMemory::stayed);

/// The first argument that the function must not change but did, as a sentence; empty if there is none. `index` counts
/// from 0.
std::string describe_change(std::size_t index, const Value& before, const Value& after);

/// A result that is wrong somewhere, in double and row-major.
struct WrongResult {
    std::vector<std::int64_t> shape;
    std::span<const double> got, want;
    std::span<const std::int64_t> wrong;                         ///< indices of the wrong elements, increasing
    std::function<bool(double got, std::int64_t want)> fits;     ///< whether `got` would do for element `want`
    std::function<bool(std::int64_t)> unwritten;                 ///< as in a fresh array
    bool unset_was_read = false;                                 ///< a kernel read fresh memory: that may be why
    std::vector<std::span<const double>> inputs;                 ///< array arguments; empty where the size differs
};

/// Where the wrong elements are: "all in the last block of 256", "every 32nd element, from index 0"; empty: no pattern.
std::string describe_places(std::span<const std::int64_t> wrong, const std::vector<std::int64_t>& shape);

/// The common pattern of the wrong values: "never written", "transposed", "constant offset +1"; empty: no pattern. For
/// a pattern that says everything ("transposed"), `complete` is set: the places add nothing then.
struct ValuePattern {
    std::string text;
    bool complete = false;
};
ValuePattern describe_values(const WrongResult& result);

/// Both in one line that follows "wrong: 1 of 257, "; empty: no pattern.
std::string describe(const WrongResult& result);

}  // namespace course
