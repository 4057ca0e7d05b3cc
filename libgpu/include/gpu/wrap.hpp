// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <gpu/device.hpp>
#include <gpu/view.hpp>

namespace gpu {

/// How foreign memory is seen: `wrap(pointer, {rows, columns}, {.strides = {pitch, 1}})`.
struct WrapOptions {
    Strides strides = {};               ///< in elements, one an axis; none: dense
    Layout layout = Layout::row_major;  ///< of dense elements
    /// Kept until the last view is gone and the work on it is done; its deleter may free the memory.
    std::shared_ptr<void> owner = {};
};

/// @cond internal
namespace detail {
GPU_API ArrayCore wrapped(const void* first, DType dtype, const Shape& shape, const WrapOptions& options,
                          Device device);
}  // namespace detail
/// @endcond

/// A view on device memory that something else allocated; nothing is copied. `first` is the address of the element
/// with all indices 0. The memory must stay until all work on it is done: give its owner, or wait yourself.
///
/// On a GPU the pointer must be to its memory (cudaMalloc); on the host backend any memory will do. Other writes to the
/// memory aren't noticed: an expression of it may be evaluated with newer elements than those it was built with.
/// gpu::check() knows only libgpu's own arrays: it reports a raw kernel's accesses to foreign memory as out of bounds.
/// @throws ShapeError if there isn't a stride for each axis; DeviceError for a null pointer
/// @snippet public/wrap_test.cpp wrap
template <class T>
    requires Element<std::remove_const_t<T>>
[[nodiscard]] View<T> wrap(T* first, const Shape& shape, const WrapOptions& options = {},
                           Device device = Device::current()) {
    return View<T>(detail::wrapped(first, dtype_of<std::remove_const_t<T>>, shape, options, device));
}

}  // namespace gpu
