// SPDX-License-Identifier: MIT

// What your port of @TOPIC@ is checked for: the values of the CPU version, cpu_version.hpp, on drawn inputs.
// All of it is yours to change: the lengths, what is drawn, and how near a result must come.

#include <course/check.hpp>

#include <array>
#include <cmath>
#include <limits>

#include "cpu_version.hpp"

namespace {

// Both versions round, each in its own order: a share of the largest element, and a little more that grows with the
// inputs, since what is added up may cancel.
template <class Want>
course::Tolerance near(const Want& want, double inputs) {
    constexpr double share = 1000 * double{std::numeric_limits<@PRECISION@>::epsilon()};
    double largest = 0;
    const auto look_at = [&](double element) {
        if (std::isfinite(element)) largest = std::max(largest, std::abs(element));
    };
    if constexpr (std::is_arithmetic_v<Want>)
        look_at(static_cast<double>(want));
    else
        for (Eigen::Index k = 0; k < want.size(); ++k) look_at(static_cast<double>(want(k)));
    return course::within(share * largest + share / 100 * std::sqrt(inputs));
}

constexpr std::array<@LENGTH_TYPE@, @LENGTH_COUNT@> all_lengths = {
    {@LENGTHS@}};

}  // namespace

GRADER_TASK(@TOPIC@, "values") {
    for (const auto& lengths : all_lengths) {
        const auto [@LETTERS@] = lengths;
        @DRAWN@
        const auto [want] = given<@RESULT@>("cpu_version", @ARGUMENTS@);
        call("@TOPIC@", @ARGUMENTS@).returns(want, @TOLERANCE@);
    }
    // On a GPU alone: one thread of the CPU, beside your port on inputs that are on the device already.
    speed([&] {
        const std::int64_t @SPEED_LETTERS@;
        @DRAWN@
        @CPU_ARGUMENTS@
        const auto want = cpu::@TOPIC@(@CPU_NAMES@);
        const double bytes = @BYTES@;
        const auto on_cpu = [&] { return cpu::@TOPIC@(@CPU_NAMES@); };
        timed(bytes, on_cpu, "@TOPIC@", @ARGUMENTS@).returns(want, @TOLERANCE@);
    });
}
