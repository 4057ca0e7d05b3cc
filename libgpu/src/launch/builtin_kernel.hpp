// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <gpu/array_core.hpp>
#include <gpu/device.hpp>

#include "codegen/kernel_text.hpp"

namespace gpu::detail {

/// What the device is, asked for once: a driver's answer takes longer than most kernels.
const DeviceProperties& known_properties(Device device);

/// How many parts of b elements hold a of them; a isn't 0.
constexpr std::int64_t divided_up(std::int64_t a, std::int64_t b) noexcept { return (a - 1) / b + 1; }

/// Launches one of libgpu's own raw kernels in the device's current stream with at least this many threads; none if it
/// is 0. `key` identifies the text, which is generated only on a miss. `elements`: see BuiltinBlocks.
void launch_builtin(Device device, const std::string& key, const std::function<RawText()>& text, std::int64_t threads,
                    void* const* arguments, int count, std::int64_t elements = 0);

/// A grid other than one thread per element: blocks along one axis.
struct BuiltinBlocks {
    std::int64_t blocks = 1;
    std::uint32_t threads = 256;  ///< per block
    std::int64_t shared = 0;      ///< bytes of dynamic shared memory
    bool counts = true;           ///< false: the caller counts the operation
    std::int64_t elements = 0;    ///< that all threads together go through; 0: not known
};
/// Launches this many blocks of one of libgpu's own raw kernels.
void launch_builtin_blocks(Device device, const std::string& key, const std::function<RawText()>& text,
                           const BuiltinBlocks& blocks, void* const* arguments, int count);

/// The threads of a launch, and how many elements they go through together; 0: not known.
struct BuiltinThreads {
    BuiltinThreads(std::int64_t threads, std::int64_t all = 0)  // NOLINT(google-explicit-constructor): a number alone
        : count(threads), elements(all) {}
    std::int64_t count, elements;
};
/// Like launch_builtin(), with the arguments' values in the types that the kernel declares.
template <class... A>
void launch_builtin_with(Device device, const std::string& key, const std::function<RawText()>& text,
                         const BuiltinThreads& threads, const A&... arguments) {
    void* const pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
    launch_builtin(device, key, text, threads.count, pointers, static_cast<int>(sizeof...(A)), threads.elements);
}

/// @throws Error if the array was moved from
void check_owned(const ArrayCore& core);

/// The value as an array with any strides: the leaf's own, or evaluated.
ArrayCore array_value(const NodePointer& value);

/// The value with leading axes of length 1 removed, down to this rank: NumPy's rule for assigned values.
NodePointer without_leading_ones(const NodePointer& value, int rank);

/// The value as a dense row-major array of this type: unchanged if it is one already.
ArrayCore dense_value(const NodePointer& value, DType dtype);

}  // namespace gpu::detail
