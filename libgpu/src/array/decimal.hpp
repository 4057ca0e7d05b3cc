// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <string>

// A number's decimal digits; T is float or double.
namespace gpu::detail {

/// The shortest digits that tell the value from its neighbours.
template <class T>
std::string written(T value, std::chars_format format);
/// So many places behind the point.
template <class T>
std::string written(T value, std::chars_format format, int precision);

/// A number in pieces: "-12", "5", "+10" of -12.5e+10.
struct Pieces {
    std::string whole, fraction, exponent;
};
Pieces taken_apart(std::string digits);

/// The shortest digits without zeros at the end; of more than `precision` places, `exact` rounded to that many.
template <class T>
Pieces pieces(T value, T exact, std::chars_format format, int precision);

/// "nan", "inf" or "-inf"; "+nan" and "+inf" with a plus.
std::string not_finite(double value, bool with_plus);

}  // namespace gpu::detail
