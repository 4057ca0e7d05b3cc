// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <gpu/dtype.hpp>
#include <gpu/print.hpp>
#include <gpu/shape.hpp>

namespace gpu::detail {

/// The shape of the elements that are shown: of a large array's long axes only both ends.
Shape shown_shape(const Shape& shape, const PrintOptions& options);

/// An array as NumPy prints it. @param shown the elements of shown_shape(), row-major
std::string print_text(DType dtype, const Shape& shape, const void* shown, const PrintOptions& options);

}  // namespace gpu::detail
