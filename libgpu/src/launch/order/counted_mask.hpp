// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/array_core.hpp>

#include "codegen/indexing_text.hpp"

namespace gpu::detail {

/// Which kernels count a mask and write what it keeps.
struct MaskWay {
    bool by_blocks = false;  ///< of threads that share memory, a tile a block; else a thread has a chunk
    MaskTile tile = {};
};
MaskWay mask_way(Device device);

/// A dense mask with its true elements counted part by part and summed on the device: nothing waits.
class CountedMask {
public:
    /// The mask is dense.
    explicit CountedMask(const ArrayCore& mask);
    CountedMask(ArrayCore mask, const MaskWay& way);

    [[nodiscard]] std::int64_t size() const noexcept { return size_; }
    /// The number of true elements, as a 0-d array of int64. Not for a mask without elements.
    [[nodiscard]] ArrayCore count() const;
    /// The same on the host, which waits; of any mask.
    [[nodiscard]] std::int64_t counted() const;
    /// The positions of the first `limit` of them in the flat mask, as int64; entries beyond their number aren't
    /// written.
    [[nodiscard]] ArrayCore positions(std::int64_t limit) const;
    /// The elements of a dense array of the mask's size where it is true, of which there are `count`. By blocks only.
    [[nodiscard]] ArrayCore kept(const ArrayCore& array, std::int64_t count) const;

private:
    void write(const void* from, const ArrayCore& to, std::int64_t limit) const;

    ArrayCore mask_, totals_;
    std::int64_t size_;
    MaskWay way_;
};

}  // namespace gpu::detail
