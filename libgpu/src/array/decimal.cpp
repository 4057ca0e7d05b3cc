// SPDX-License-Identifier: MIT
#include "array/decimal.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace gpu::detail {

namespace {

std::size_t places(const std::string& digits) {
    const std::size_t point = digits.find('.');
    return point == std::string::npos ? 0 : digits.size() - point - 1;
}

}  // namespace

template <class T>
std::string written(T value, std::chars_format format) {
    char text[400];  // a double has up to 309 digits before the point
    return {text, std::to_chars(text, text + sizeof text, value, format).ptr};
}
template <class T>
std::string written(T value, std::chars_format format, int precision) {
    char text[800];
    return {text, std::to_chars(text, text + sizeof text, value, format, std::clamp(precision, 0, 400)).ptr};
}

Pieces taken_apart(std::string digits) {
    Pieces result;
    if (const std::size_t e = digits.find('e'); e != std::string::npos) {
        result.exponent = digits.substr(e + 1);
        digits.resize(e);
    }
    const std::size_t point = std::min(digits.find('.'), digits.size());
    result.whole = digits.substr(0, point);
    if (point < digits.size()) result.fraction = digits.substr(point + 1);
    return result;
}

template <class T>
Pieces pieces(T value, T exact, std::chars_format format, int precision) {
    std::string digits = written(value, format);
    const auto without_exponent = [](const std::string& text) { return text.substr(0, text.find('e')); };
    if (places(without_exponent(digits)) > static_cast<std::size_t>(precision)) {
        digits = written(exact, format, precision);
    }
    Pieces result = taken_apart(std::move(digits));
    result.fraction.resize(result.fraction.find_last_not_of('0') + 1);
    return result;
}

template std::string written(float, std::chars_format);
template std::string written(double, std::chars_format);
template std::string written(float, std::chars_format, int);
template std::string written(double, std::chars_format, int);
template Pieces pieces(float, float, std::chars_format, int);
template Pieces pieces(double, double, std::chars_format, int);

std::string not_finite(double value, bool with_plus) {
    if (std::isnan(value)) return with_plus ? "+nan" : "nan";
    return value < 0 ? "-inf" : with_plus ? "+inf" : "inf";
}

}  // namespace gpu::detail
