// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "backend/backend.hpp"
#include "cuda/plan/thread_mapping.hpp"

namespace gpu::detail::cuda {

// What generated kernels get besides their parameters. The kernels' text declares the same structs with its own number
// of axes; CUDA copies as many bytes as a kernel declares, so a prefix of these arrives.

/// The quotient, rounded up.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) noexcept { return (a + b - 1) / b; }

/// One axis, with constants that replace a 32-bit division by its length.
struct AxisArgument {
    std::int64_t length = 1;
    std::uint32_t magic = 0, shift = 0;
};

/// The axis for a length; `magic` and `shift` divide numbers below 2^31 (Granlund and Montgomery 1994, section 4).
[[nodiscard]] AxisArgument make_axis(std::int64_t length) noexcept;

/// What the layout of a reduction's threads depends on. The device isn't included, so every GPU adds in the same order.
struct ReductionSizes {
    std::int64_t outputs = 1, reduced = 1;
    std::int64_t inner = 1;      ///< outputs along the last kept axis
    ReductionWalk walk = {};
    std::int64_t row = 0;        ///< as in ReductionThreads
};

/// The layout of a reduction's threads. A block of 256 threads works on 256 / width outputs or, in a walk by column, on
/// as many packs of outputs. `width` lanes share one of them, and its elements may be split over several blocks, whose
/// partial results a second launch joins.
struct ReductionLayout {
    int width = 1;               ///< lanes per output: a power of two, 1 to 256
    std::int64_t tiles = 1;      ///< groups of outputs, one per block
    std::int64_t splits = 1;     ///< blocks that share an output
    std::int64_t chunk = 1;      ///< elements of an output per block

    friend bool operator==(const ReductionLayout&, const ReductionLayout&) = default;
};

inline constexpr int reduction_block = 256;

[[nodiscard]] ReductionLayout plan_reduction(const ReductionSizes& sizes);
/// The plan for joining this many partial results of each output: not split again.
[[nodiscard]] ReductionLayout plan_join(const ReductionSizes& sizes, std::int64_t partials);

/// The argument of a reduction's kernel; `axes` are the kept ones, then the reduced ones.
struct ReductionArgument {
    std::int64_t outputs = 0, reduced = 0;
    std::int64_t elements = 0;                      ///< over all outputs, for the second launch too
    std::int64_t output_step = 0, split_step = 0;   ///< of the partial results
    std::int32_t chunk = 0, width_log2 = 0, is_split = 0;
    AxisArgument axes[2 * max_rank];
};

/// One launch for a reduction: tiles x splits blocks.
struct ReductionStep {
    std::int64_t tiles = 0, splits = 1;
    ReductionArgument argument;
};

/// The launches of a reduction, in order, and the number of partial results between them.
struct ReductionSchedule {
    std::int64_t partials = 0;
    int steps = 0;
    ReductionStep step[2];
};
[[nodiscard]] ReductionSchedule plan_launch(const ReductionSpace& space, const ReductionThreads& threads = {});
/// True if that takes two: the second one joins partial results.
[[nodiscard]] bool is_split(const ReductionSpace& space, const ReductionThreads& threads);

// What a generated elementwise kernel gets before its parameters. The kernel's text declares the same structs with its
// own number of axes; CUDA copies as many bytes as a kernel declares, so a prefix of these arrives.

/// One axis of a launch, with constants that replace a division by its length.
struct ExtentArgument {
    std::int64_t start = 0;  ///< of the launch's part along the axis
    std::int64_t step = 0;   ///< the increment of the body's index
    std::uint32_t length = 1, magic = 0, shift = 0, spare = 0;
};

/// The part of an index space that one launch computes.
struct SpaceArgument {
    std::int64_t size = 0;    ///< of the whole space
    std::int64_t begin = 0;   ///< the part's first element in row-major order
    std::int64_t first = 0;   ///< the body's index there
    std::uint32_t count = 0;  ///< elements of the part
    std::uint32_t group_log2 = 0;  ///< tiles per group
    ExtentArgument tiles[3];  ///< tiles along the last axis; groups of tiles along the one before; tiles along a third
    ExtentArgument axes[max_rank];
};

/// Kernels index with 32 bits: a part has at most this many elements, a multiple of every pack and warp.
inline constexpr std::int64_t max_part = 0x7fff0000;

/// Splits an index space into the parts of its launches. Nearly all have one part.
class ElementwiseParts {
public:
    /// `index_steps` are what the body's index grows by along each axis; empty: it counts in row-major order.
    ElementwiseParts(const ElementwiseSpace& space, const ThreadWork& work, const Strides& index_steps = {},
                     std::int64_t max_elements = max_part);

    /// Advances to the next part, initially the first one; false if there is none left.
    bool next();

    [[nodiscard]] const SpaceArgument& argument() const noexcept { return argument_; }
    [[nodiscard]] std::int64_t blocks() const noexcept { return blocks_; }
    /// Strided arrays, offset to this part; a kernel finds the other arrays' elements by `begin`.
    [[nodiscard]] std::vector<Argument> arguments(const std::vector<Argument>& whole) const;
    [[nodiscard]] bool is_whole() const noexcept { return argument_.count == space_.size; }

private:
    void take(std::int64_t length);

    const ElementwiseSpace& space_;
    ThreadWork work_;
    Strides steps_;
    int cut_ = 0;              // the axis that is split into chunks; those before are looped over
    std::int64_t chunk_ = 0;
    bool is_begun_ = false;
    SpaceArgument argument_;
    std::int64_t blocks_ = 0;
};

}  // namespace gpu::detail::cuda
