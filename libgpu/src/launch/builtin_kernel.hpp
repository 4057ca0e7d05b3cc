// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <gpu/array_core.hpp>

#include "codegen/kernel_text.hpp"

namespace gpu::detail {

/// Launches a raw kernel of libgpu's own on the device's current stream with at least this many threads; none, if it is
/// 0. `key` identifies the text, which is made on a miss only.
void launch_builtin(Device device, const std::string& key, const std::function<RawText()>& text, std::int64_t threads,
                    void* const* arguments, int count);

/// A grid that isn't one thread an element: blocks in one axis.
struct BuiltinBlocks {
    std::int64_t blocks = 1;
    std::uint32_t threads = 256;  ///< of each block
    std::int64_t shared = 0;      ///< bytes of dynamic shared memory
    bool counts = true;           ///< false: who launches counts the operation
};
/// Launches so many blocks of a raw kernel of libgpu's own.
void launch_builtin_blocks(Device device, const std::string& key, const std::function<RawText()>& text,
                           const BuiltinBlocks& blocks, void* const* arguments, int count);

/// As launch_builtin(), with the arguments' values in the types that the kernel declares.
template <class... A>
void launch_builtin_with(Device device, const std::string& key, const std::function<RawText()>& text,
                         std::int64_t threads, const A&... arguments) {
    void* const pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
    launch_builtin(device, key, text, threads, pointers, static_cast<int>(sizeof...(A)));
}

/// @throws Error if the array was moved from
void check_owned(const ArrayCore& core);

/// The value as an array with any strides: the leaf's own, or evaluated.
ArrayCore array_value(const NodePointer& value);

/// The value with fewer axes, down to this many, as far as the first have length 1: NumPy's rule for what is assigned.
NodePointer without_leading_ones(const NodePointer& value, int rank);

/// The value as a dense row-major array of this type: itself, if it is one already.
ArrayCore dense_value(const NodePointer& value, DType dtype);

}  // namespace gpu::detail
