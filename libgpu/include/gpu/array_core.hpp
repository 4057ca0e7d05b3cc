// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <gpu/device.hpp>
#include <gpu/dtype.hpp>
#include <gpu/export.hpp>
#include <gpu/shape.hpp>
#include <gpu/stream.hpp>

/// @cond internal
/// The part of Array and View that needs no static element type: it is compiled once, in libgpu.
namespace gpu::detail {

class Storage;  // a device buffer and its version
struct Node;    // a node of a lazy expression
using NodePointer = std::shared_ptr<const Node>;

/// A strided window on a buffer that it keeps alive.
struct ArrayCore {
    std::shared_ptr<Storage> storage;
    std::int64_t offset = 0;  // elements from the buffer's start
    Shape shape;
    Strides strides;
    DType dtype = DType::float32;
};

/// One index of `a(...)`: a slice, a position, a new axis of length 1, or all remaining axes.
struct Index {
    enum class Kind : std::uint8_t { slice, single, new_axis, ellipsis };
    std::int64_t start = 0, stop = 0, step = 1;
    bool open_start = false, open_stop = false;
    Kind kind = Kind::slice;
};

/// @throws Error: a moved-from array has no elements until it is assigned to.
[[noreturn]] GPU_API void throw_moved_from(const char* operation);
inline const ArrayCore& checked_core(const ArrayCore& core, const char* operation) {
    if (core.storage == nullptr) throw_moved_from(operation);
    return core;
}

GPU_API ArrayCore make_array(DType dtype, const Shape& shape, Layout layout = Layout::row_major);
GPU_API ArrayCore copy_of(const ArrayCore& source);
GPU_API ArrayCore copy_of(const ArrayCore& source, Layout layout);
GPU_API ArrayCore copy_to_device(const ArrayCore& source, Device device, Layout layout);
// Column-major only if the elements are dense in no other order.
[[nodiscard]] GPU_API Layout own_layout(const ArrayCore& core);
GPU_API void assign(ArrayCore& target, const NodePointer& value, bool may_reallocate);
/// Exchanges the elements of two windows. @throws ShapeError unless their shapes are equal
GPU_API void swap_elements(ArrayCore& a, ArrayCore& b);

GPU_API void copy_from_host(const ArrayCore& target, const void* from, std::int64_t count);
GPU_API void copy_to_host(const ArrayCore& source, void* to, std::int64_t count);
// Host memory in the array's own dense order, or in a given one: for other libraries' matrices.
GPU_API void copy_from_host_dense(const ArrayCore& target, const void* from, std::int64_t count);
GPU_API void copy_from_host_as(const ArrayCore& target, const void* from, std::int64_t count, Layout layout);
GPU_API void copy_from_bits(const ArrayCore& target, const std::vector<bool>& host);
GPU_API void copy_to_bits(const ArrayCore& source, std::vector<bool>& host);
GPU_API void copy_to_host_as(const ArrayCore& source, void* to, std::int64_t count, Layout layout);
GPU_API Event copy_from_host_async(const ArrayCore& target, const void* from, std::int64_t count);
GPU_API Event copy_to_host_async(const ArrayCore& source, void* to, std::int64_t count);
GPU_API void check_eigen_shape(const Shape& shape, std::int64_t rows, std::int64_t columns, const char* operation);
GPU_API void read_item(const ArrayCore& source, void* to);
// The result of a kernel as an array that owns its elements. @throws DTypeError unless they are of this type
GPU_API ArrayCore owned(ArrayCore result, DType wanted);
// The elements converted by astype()'s rules, dense in their own order. @throws DTypeError for complex ones as real
GPU_API ArrayCore cast_copy(const ArrayCore& source, DType dtype);
// The result of an operator in place. @throws DTypeError unless it has this type
GPU_API const ArrayCore& same_elements(const ArrayCore& result, DType wanted);
// @throws DTypeError that tells what to write unless the elements are of this type
GPU_API const ArrayCore& typed(const ArrayCore& core, DType wanted, const char* operation);
[[noreturn]] GPU_API void throw_not_visited(DType dtype, std::span<const DType> visited);

// Windows on the same buffer: only offset, shape and strides change.
GPU_API ArrayCore sliced(const ArrayCore& source, std::span<const Index> indices);
GPU_API ArrayCore transposed(const ArrayCore& source);
GPU_API ArrayCore transposed(const ArrayCore& source, std::span<const int> axes);
GPU_API ArrayCore axes_swapped(const ArrayCore& source, int axis1, int axis2);
GPU_API ArrayCore axes_moved(const ArrayCore& source, std::span<const int> from, std::span<const int> to);
GPU_API ArrayCore reshaped(const ArrayCore& source, const TargetShape& shape, Layout order = Layout::row_major);
GPU_API ArrayCore broadcasted(const ArrayCore& source, const Shape& shape);
GPU_API ArrayCore diagonal(const ArrayCore& source, std::int64_t offset, int axis1, int axis2);
GPU_API ArrayCore squeezed(const ArrayCore& source);
GPU_API ArrayCore squeezed(const ArrayCore& source, std::span<const int> axes);
GPU_API ArrayCore expanded(const ArrayCore& source, int axis);
GPU_API ArrayCore flipped(const ArrayCore& source);
GPU_API ArrayCore flipped(const ArrayCore& source, std::span<const int> axes);
GPU_API ArrayCore rotated(const ArrayCore& source, int times, int axis1, int axis2);
// The same, but copies the elements if they aren't suitably laid out.
GPU_API ArrayCore reshaped_or_copied(const ArrayCore& source, const TargetShape& shape, Layout order);
[[nodiscard]] GPU_API bool is_dense(const ArrayCore& core, Layout layout) noexcept;

[[nodiscard]] GPU_API Device device_of(const ArrayCore& core);
[[nodiscard]] GPU_API void* data_of(const ArrayCore& core);
GPU_API void mark_written(const ArrayCore& core) noexcept;
// Lets host code access the elements in place; check mode then allows it.
GPU_API void lend_to_host(const ArrayCore& core) noexcept;

GPU_API NodePointer leaf(const ArrayCore& core);
GPU_API NodePointer scalar_node(DType dtype, double value);
GPU_API NodePointer scalar_node(DType dtype, std::int64_t value);
GPU_API NodePointer scalar_node(DType dtype, double real, double imag);
// A number as an element of an array, its fraction cut off for integers.
// @throws DTypeError unless the type's range has it: 300 or NaN for uint8
GPU_API NodePointer element_node(const NodePointer& number, DType element, const char* operation);

}  // namespace gpu::detail
/// @endcond
