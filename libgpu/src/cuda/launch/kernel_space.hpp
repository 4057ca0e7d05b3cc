// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "backend.hpp"

namespace gpu::detail::cuda {

// What generated kernels get besides their parameters. The kernels' text declares the same structs with as many axes
// as they have; CUDA copies as many bytes as a kernel declares, so a prefix of these is what arrives.

/// One axis, with the constants that replace a 32-bit division by its length.
struct AxisArgument {
    std::int64_t length = 1;
    std::uint32_t magic = 0, shift = 0;
};

/// The axis of a length; `magic` and `shift` divide numbers below 2^31 (Granlund and Montgomery 1994, section 4).
[[nodiscard]] AxisArgument make_axis(std::int64_t length) noexcept;

/// How the threads of a reduction are laid out. A block of 256 threads works on 256 / width outputs; `width` lanes
/// share one output, and its elements may be split over several blocks, whose partial results a second kernel joins.
struct ReductionPlan {
    int width = 1;               ///< lanes of an output: a power of two, 1 to 256
    bool by_column = false;      ///< neighbouring threads take neighbouring outputs instead of neighbouring elements
    std::int64_t splits = 1;     ///< blocks that share an output
    std::int64_t chunk = 0;      ///< elements of an output that one of them takes
    std::int64_t tiles = 1;      ///< groups of outputs; the grid is tiles * splits blocks

    friend bool operator==(const ReductionPlan&, const ReductionPlan&) = default;
};

inline constexpr int reduction_block = 256;

/// Chooses the layout from the sizes alone, not from the device, so that every GPU adds in the same order.
/// `may_split` is false for the second kernel.
[[nodiscard]] ReductionPlan plan_reduction(std::int64_t outputs, std::int64_t reduced, bool by_column, bool may_split);

/// True if neighbouring outputs lie closer together in memory than neighbouring elements of one output.
[[nodiscard]] bool prefers_columns(const ReductionSpace& space, const std::vector<Argument>& arguments);

/// What both kernels of a reduction get; `axes` are the kept ones, then the reduced ones.
struct ReductionArgument {
    std::int64_t outputs = 0, reduced = 0, chunk = 0;
    std::int64_t elements = 0;                      ///< of all outputs together, also for the second kernel
    std::int64_t output_step = 0, split_step = 0;   ///< of the partial results
    std::uint32_t tiles = 1;
    std::int32_t width_log2 = 0, by_column = 0, is_split = 0, narrow = 0;
    AxisArgument axes[2 * max_rank];
};

/// One launch of a reduction's kernels: 0 maps and reduces, 1 joins partial results (or writes identities).
struct ReductionStep {
    std::size_t kernel = 0;
    std::int64_t blocks = 0;
    ReductionArgument argument;
};

/// The launches of a reduction, in order, and how many partial results lie between them.
struct ReductionLaunch {
    std::int64_t partials = 0;
    int steps = 0;
    ReductionStep step[2];
};
[[nodiscard]] ReductionLaunch plan_launch(const ReductionSpace& space, const std::vector<Argument>& arguments);

}  // namespace gpu::detail::cuda
