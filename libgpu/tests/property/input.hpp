// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <gpu/gpu.hpp>

#include "property/random.hpp"
#include "property/reference.hpp"

namespace property {

using Bytes = std::vector<unsigned char>;

/// A random array on the device with a random window on it, and the reference's picture of both.
struct Input {
    gpu::DType dtype = gpu::DType::float32;
    gpu::Layout layout = gpu::Layout::row_major;
    bool divisor = false;  ///< its integers are from 1 to 9
    Elements base;         ///< of the whole array
    gpu::detail::ArrayCore array;
    gpu::detail::ArrayCore window;
    Elements elements;               ///< of the window
    std::vector<std::size_t> place;  ///< of each element of the window in the base
    std::string definition;          ///< C++ that makes the array
    std::string spelling;            ///< C++ that makes the window
};

/// What kind of values are drawn.
struct Values {
    bool positive = false;  ///< and not 0
    bool special = false;   ///< infinities, NaN, subnormals, the ends of the type
    bool divisor = false;   ///< integers from 1 to 9
    bool exact = false;     ///< small multiples of 1/4
};

/// One value that the type holds exactly.
[[nodiscard]] Element draw_value(gpu::DType type, const Values& values, Random& draw);

/// The elements as the type stores them, and back.
[[nodiscard]] Bytes stored(const Elements& elements);
[[nodiscard]] Elements loaded(gpu::DType dtype, const gpu::Shape& shape, const Bytes& bytes);
/// A C++ literal: `1.5f`.
[[nodiscard]] std::string literal(gpu::DType type, const Element& value);
/// "float", "std::int8_t".
[[nodiscard]] std::string cpp_name(gpu::DType type);
[[nodiscard]] std::string braces(const gpu::Extents& shape);

/// A whole array of these elements on the device.
[[nodiscard]] gpu::detail::ArrayCore to_array(const Elements& elements, gpu::Layout layout);
[[nodiscard]] Elements to_elements(const gpu::detail::ArrayCore& core);

/// An array named `name` with a window of the wanted shape. What decides the kernel's text (steps, order of axes) comes
/// from `plan`, what doesn't (lengths, values) from `draw`.
[[nodiscard]] Input draw_input(const std::string& name, gpu::DType type, const gpu::Shape& wanted, const Values& values,
                               Random& plan, Random& draw, int max_steps = 2);

/// A random window of `wanted` shape on an array that is made for it; fills all but the elements.
void draw_window(Input& input, const std::string& name, const gpu::Shape& wanted, Random& plan, Random& draw,
                 int max_steps);

/// Lengths of axes: mostly small, sometimes 0, 1 or long. `size` is 1 (smallest) to 3.
[[nodiscard]] gpu::Shape draw_shape(int rank, Random& draw, int size);

}  // namespace property
