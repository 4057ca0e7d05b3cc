// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/array_core.hpp>
#include <gpu/indexable.hpp>

#include "codegen/order_text.hpp"

namespace gpu::detail {

/// A dense array as `lines` times `n` times `inner` elements, to be scanned along the middle axis.
struct ScanSpace {
    std::int64_t lines = 1, n = 0, inner = 1;
    [[nodiscard]] std::int64_t size() const noexcept { return lines * n * inner; }
};

/// How an array of this shape divides up along an axis, or as a flat one. @throws AxisError
ScanSpace scan_space(const Shape& shape, OptionalAxis axis);

/// The type that a scan reads a value as: integers are widened as they are read, other conversions take a kernel.
DType scan_input(const Node& value, DType accumulator);

/// A number as a kernel's argument of its type.
struct InitialValue {
    alignas(16) unsigned char bytes[16] = {};
};

/// What a scan reads and writes, possibly the same array. `starts` is null unless it is segmented.
struct ScanArrays {
    ArrayCore input, output;
    const bool* starts = nullptr;
};

/// Which kernels do it. The results are the same bits.
struct ScanWay {
    bool by_blocks = false;  ///< along an innermost axis: of threads that share memory
    std::int64_t min_elements = 6;  ///< fewer elements along it aren't worth that
};
ScanWay scan_way(Device device);

/// Scans along the middle axis, in an order of operations that depends only on n: see order/scan_sum.cuh.
void scan(const ScanArrays& arrays, const ScanTypes& types, const ScanSpace& space, const ScanWay& way,
          const InitialValue& init = {});

}  // namespace gpu::detail
