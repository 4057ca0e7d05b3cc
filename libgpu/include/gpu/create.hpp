// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/array.hpp>

namespace gpu {

/// @cond internal
namespace detail {
GPU_API ArrayCore full(DType dtype, const Shape& shape, const NodePointer& value);
GPU_API ArrayCore arange(DType dtype, double start, double stop, double step);
GPU_API ArrayCore linspace(DType dtype, double start, double stop, std::int64_t count, bool endpoint);
}  // namespace detail
/// @endcond

/// A new array on the current device; its elements are whatever was there.
template <Element T>
[[nodiscard]] Array<T> empty(const Shape& shape, Layout layout = Layout::row_major) {
    return Array<T>(detail::make_array(dtype_of<T>, shape, layout));
}

/// A new array on the current device, filled with one value there: nothing is copied from the host.
/// @snippet public/array_test.cpp create
template <Element T>
[[nodiscard]] Array<T> full(const Shape& shape, T value) {
    return Array<T>(detail::full(dtype_of<T>, shape, detail::to_node(value)));
}
template <Element T>
[[nodiscard]] Array<T> zeros(const Shape& shape) {
    return gpu::full<T>(shape, T{});
}
template <Element T>
[[nodiscard]] Array<T> ones(const Shape& shape) {
    return gpu::full<T>(shape, T{1});
}

/// start, start + step, ... up to `stop`, which is left out; made on the device.
/// @throws ShapeError if `step` is 0.
/// @snippet public/array_test.cpp create
template <Element T>
[[nodiscard]] Array<T> arange(double start, double stop, double step = 1) {
    return Array<T>(detail::arange(dtype_of<T>, start, stop, step));
}
template <Element T>
[[nodiscard]] Array<T> arange(double stop) {
    return gpu::arange<T>(0, stop, 1);
}

/// `count` numbers from `start` to `stop`, both included, evenly spaced; computed in double on the device.
template <Element T>
[[nodiscard]] Array<T> linspace(double start, double stop, std::int64_t count) {
    return Array<T>(detail::linspace(dtype_of<T>, start, stop, count, true));
}

}  // namespace gpu
