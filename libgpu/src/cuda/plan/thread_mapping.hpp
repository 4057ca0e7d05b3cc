// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "array/iteration.hpp"
#include "backend/backend.hpp"
#include "codegen/kernel_text.hpp"

// How a GPU's threads share the elements of a generated call. Plans are chosen by strides and addresses, before the
// kernel's text, of which they are a part.
namespace gpu::detail::cuda {

/// How threads share an elementwise kernel's index space. Whichever it is, each element is computed by the same body
/// with the same index.
enum class Traversal : std::uint8_t {
    packs,     ///< neighbours along the last axis, read and written in accesses of 16 bytes
    elements,  ///< a few elements of a thread, as far apart as a block is wide
    tiles,     ///< a block takes a tile of the last two or three axes; what lies across the output's rows is read
               ///< through shared memory
};

/// How an array lies along the last axis of that space.
enum class AccessPattern : std::uint8_t {
    any,   ///< its stride is a number of the launch; or it is linear, and packs fit
    broadcast,  ///< one element serves the whole row; of a tile, all that a thread computes
    contiguous,  ///< neighbours, and each pack begins at a multiple of its own length
    tile,  ///< it is read through shared memory, along the axis before the last
    deep,  ///< it is read through shared memory, along the axis before that
    unaligned,   ///< it is linear, but where the first output's packs begin, its own don't
};

/// How a kernel whose text is written is launched.
struct ThreadWork {
    Traversal walk = Traversal::packs;
    int block = 256;   ///< the most threads of a block
    int elements = 1;  ///< of a thread; of a tile for Traversal::tiles
    int across_log2 = 0;  ///< of a tile's length along the axis before the last
    int deep_log2 = 0;    ///< of its length along the axis before that: 0 if it has two axes
};

/// What is known of such a kernel; nothing of others.
[[nodiscard]] ThreadWork work_of(const BackendPlan& plan);

/// Threads of a block that works on tiles.
inline constexpr int tile_threads = 256;

/// Elements of a pack: 16 bytes of the widest type, but no more than 8.
constexpr int pack_width(std::size_t max_item) {
    return max_item >= 16 ? 1 : max_item <= 2 ? 8 : static_cast<int>(16 / max_item);
}

/// How threads go through an elementwise call.
struct ThreadMapping {
    Traversal walk = Traversal::packs;
    int width = 4;                    ///< elements of a pack or of a tile
    int across_log2 = 0;              ///< of a tile's length along the axis before the last
    int deep_log2 = 0;                ///< of its length along the axis before that: 0 if it has two axes
    int near_axes = 0;                ///< of the axes before a tile's: those along which the output's steps are shorter
                                      ///< than across the tile
    std::vector<AccessPattern> access = {};    ///< how each array lies; empty: any
    Strides index_steps = {};         ///< of the body's index, if the axes aren't in the order in which that counts
};

/// The plan, the axes that it goes along, and which arrays are linear there.
struct PlannedWalk : ThreadMapping {
    Iteration iteration;          ///< one strides an array; axes may be in another order than in the call
    std::vector<bool> is_linear;  ///< arrays whose elements lie in the order of the iteration

    /// What the plan makes of the text.
    [[nodiscard]] std::string key() const;
};

/// Looks at strides and addresses. Reorders axes so that the first output's neighbours are neighbours in the walk. If
/// the body uses `i`, the iteration's last strides are that index's own.
[[nodiscard]] PlannedWalk plan_walk(Iteration iteration, const std::vector<WalkedArray>& arrays,
                                    const ElementwiseNeeds& needs);

/// What a launch was planned with.
[[nodiscard]] const Strides& index_steps_of(const BackendPlan& plan);

/// An elementwise text with its plan.
struct PlannedElementwise : ElementwiseText, ThreadMapping {
    explicit PlannedElementwise(const ElementwiseText& text);

    [[nodiscard]] bool has_index_steps() const noexcept { return index_steps.rank() > 0; }
};

/// How threads walk through a reduction's elements.
struct ReductionWalk {
    bool by_column = false;  ///< neighbouring threads take neighbouring outputs, instead of neighbours along an output
    int pack = 1;            ///< elements of a thread that one access of 16 bytes could fetch: 1, 2, 4 or 8
    bool is_packed = false;  ///< one access does: they lie in memory as the index counts, see fits_packs()
    bool deep_unroll = false;  ///< packed along rows in which each thread has many packs
    bool is_short = false;   ///< by row, in packs: a thread takes all elements of several outputs, see has_short_rows()
    bool is_wide = false;    ///< indices have 64 bits: there are 2^31 outputs or more, or elements of one, or those
                             ///< that are read one by one lie so far apart
    friend bool operator==(const ReductionWalk&, const ReductionWalk&) = default;

    /// What the walk makes of the text.
    [[nodiscard]] std::string key() const;
};

/// Outputs of a thread that takes all of their elements.
inline constexpr int short_rows_together = 4;

/// How threads go through a reduction.
struct ReductionThreads {
    ReductionWalk walk = {};
    std::int64_t row = 0;  ///< elements in a row which the next output's row follows in memory, see row_of()
};
/// What a text or a launch was planned with.
[[nodiscard]] ReductionThreads threads_of(const BackendPlan& plan);

/// A reduction's text with its plan.
struct PlannedReduction : ReductionText {
    explicit PlannedReduction(const ReductionText& text) : ReductionText(text), walk(threads_of(text.plan).walk) {}

    ReductionWalk walk;
};

/// How threads best walk through a reduction whose widest input has elements of so many bytes: along the axis where
/// memory is contiguous. By column, a thread has fewer outputs if their accumulators are large.
[[nodiscard]] ReductionWalk walk_of(const ReductionSpace& space, const std::vector<Argument>& arguments,
                                    std::size_t max_item, std::size_t accumulator = 0);

/// True if in this walk every input's packs are whole and contiguous at multiples of 16 bytes, or one element that is
/// repeated.
[[nodiscard]] bool fits_packs(const ReductionSpace& space, const ReductionWalk& walk,
                              const std::vector<Argument>& arguments);

/// True if in this walk an output's elements are so few, and in packs, that other lanes would only wait.
[[nodiscard]] bool has_short_rows(const ReductionSpace& space, const ReductionWalk& walk) noexcept;

/// How many elements of an output lie in a row, where the next output's row follows it in memory; 0 if the inputs lie
/// otherwise.
[[nodiscard]] std::int64_t row_of(const ReductionSpace& space, const std::vector<Argument>& arguments);

}  // namespace gpu::detail::cuda
