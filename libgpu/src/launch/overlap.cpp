// SPDX-License-Identifier: MIT
#include "launch/overlap.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "array/iteration.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

ByteRange address_range(const ArrayCore& array) {
    const auto start = reinterpret_cast<std::intptr_t>(array.storage->data());
    const ByteRange range = byte_range(array);
    return {start + range.first, start + range.last};
}

std::int64_t bytes_of_element(const ArrayCore& array) { return static_cast<std::int64_t>(size_of(array.dtype)); }

// All elements lie a multiple of this many bytes apart; 0 for a single one.
std::int64_t common_step(const ArrayCore& array) {
    std::int64_t step = 0;
    for (int axis = 0; axis < array.shape.rank(); ++axis) {
        if (array.shape[axis] > 1) step = std::gcd(step, array.strides[axis] * bytes_of_element(array));
    }
    return step;
}

// Columns of one matrix, or every other element: ranges overlap, and no element is in both.
bool is_interleaved(const ArrayCore& a, const ArrayCore& b) {
    const std::int64_t step = std::gcd(common_step(a), common_step(b));
    if (step == 0) return false;
    const std::int64_t apart =
        reinterpret_cast<std::intptr_t>(data_of(b)) - reinterpret_cast<std::intptr_t>(data_of(a));
    const std::int64_t place = (apart % step + step) % step;  // of b's elements, where a's begin at 0
    return place >= bytes_of_element(a) && place + bytes_of_element(b) <= step;
}

}  // namespace

bool share_memory(const ArrayCore& a, const ArrayCore& b) {
    if (a.shape.size() == 0 || b.shape.size() == 0) return false;
    const ByteRange first = address_range(a), second = address_range(b);
    return first.first < second.last && second.first < first.last && !is_interleaved(a, b);
}

bool is_spoiled(const ArrayCore& input, const ArrayCore& output) {
    if (!share_memory(input, output)) return false;
    if (data_of(input) != data_of(output) || input.dtype != output.dtype) return true;
    const Strides steps = broadcast_strides(input, output.shape);
    for (int axis = 0; axis < output.shape.rank(); ++axis) {
        if (output.shape[axis] > 1 && steps[axis] != output.strides[axis]) return true;
    }
    return false;
}

bool is_any_spoiled(const Flattened& inputs, const ArrayCore& output) {
    return std::any_of(inputs.arrays.begin(), inputs.arrays.end(),
                       [&](const Node* input) { return is_spoiled(input->array, output); });
}

ArrayCore apart_from(const ArrayCore& written, const ArrayCore& array) {
    return share_memory(array, written) ? copy_of(array) : array;
}

}  // namespace gpu::detail
