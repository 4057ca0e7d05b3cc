// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <gpu/array_core.hpp>

namespace gpu::detail {

/// The bytes of a dense array. @throws ShapeError beyond 2^63 - 1.
std::size_t bytes_of(const Shape& shape, DType dtype);

/// A new array on this device, made on its current stream.
ArrayCore make_array_on(Device device, DType dtype, const Shape& shape, Layout layout);

}  // namespace gpu::detail
