// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <string>
#include <vector>

#include <gpu/dtype.hpp>
#include <gpu/print.hpp>
#include <gpu/shape.hpp>

namespace gpu::detail {

/// The shape of the elements that are printed: only both ends of a large array's long axes.
Shape shown_shape(const Shape& shape, const PrintOptions& options);

/// An array as NumPy prints it. @param shown the elements of shown_shape(), row-major
std::string print_text(DType dtype, const Shape& shape, const void* shown, const PrintOptions& options);

// A number's decimal digits; T is float or double.

/// The shortest digits that identify the value.
template <class T>
std::string written(T value, std::chars_format format);
/// With this many decimal places.
template <class T>
std::string written(T value, std::chars_format format, int precision);

/// A number in pieces: "-12", "5" and "+10" for -12.5e+10.
struct Pieces {
    std::string whole, fraction, exponent;
};
Pieces taken_apart(std::string digits);

/// The shortest digits without trailing zeros; if they have more than `precision` places, `exact` rounded to that many.
template <class T>
Pieces pieces(T value, T exact, std::chars_format format, int precision);

/// "nan", "inf" or "-inf"; "+nan" and "+inf" with a plus.
std::string not_finite(double value, bool with_plus);

/// What print_text() puts between the brackets: one word per element, all equally wide, in the format that NumPy
/// chooses for these elements together.
std::vector<std::string> element_words(DType dtype, const void* elements, std::size_t count,
                                       const PrintOptions& options);

/// The one element of an array without axes, with all its digits.
std::string scalar_word(DType dtype, const void* element);

}  // namespace gpu::detail
