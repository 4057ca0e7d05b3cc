// SPDX-License-Identifier: MIT
#pragma once

// A picture to compute with, drawn by code. Include this file in a check that needs it.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include <course/check_values.hpp>

namespace course {

namespace detail {

/// The letters of the picture: 7 rows of 5 bits, the highest one to the left.
struct Letter {
    char name;
    std::uint8_t rows[7];
};
inline constexpr Letter letters[] = {
    {'G', {0b01110, 0b10001, 0b10000, 0b10111, 0b10001, 0b10001, 0b01110}},
    {'P', {0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000}},
    {'U', {0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110}},
    {'H', {0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001}},
    {'A', {0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001}},
    {'L', {0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111}},
    {'O', {0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110}},
    {'3', {0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110}},
    {'X', {0b10001, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001, 0b10001}},
    {'T', {0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100}},
    {'I', {0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110}},
    {'E', {0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111}},
};

/// True if (x, y) lies on a stroke of the text, which begins at (0, 0). A letter is 5 wide and 7 high, with a gap of 1.
inline bool on_text(std::string_view text, double x, double y) {
    if (!(x >= 0 && y >= 0 && y < 7)) return false;
    const auto place = static_cast<std::size_t>(x / 6);
    const int column = static_cast<int>(x - 6.0 * static_cast<double>(place));
    if (place >= text.size() || column > 4) return false;
    for (const Letter& one : letters)
        if (one.name == text[place]) return (one.rows[static_cast<int>(y)] >> (4 - column) & 1) != 0;
    return false;
}

/// The picture's value at (x, y), both from 0 to 1, x to the right and y down. Its shapes are round if it is 3 : 2.
inline double test_image_at(double x, double y) {
    const double across = 1.5 * x;
    // A sky that grows brighter downwards, above a floor of squares that recede into the distance.
    double value = 0.45 + 0.4 * y;
    if (y > 0.62) {
        const double depth = 0.12 / (y - 0.56);
        const auto square = static_cast<long>(std::floor(6 * depth) + std::floor(5 * depth * (across - 0.75) + 50));
        value = square % 2 == 0 ? 0.2 : 0.8;
    }
    // A ball, lit from the upper left.
    const double u = (across - 0.42) / 0.26, v = (y - 0.42) / 0.26, height = 1 - u * u - v * v;
    if (height > 0) value = std::max(0.05, 0.1 + 0.85 * (-0.5 * u - 0.6 * v + 0.62 * std::sqrt(height)));
    // A dark square standing on a corner, with a bright frame.
    const double corner = std::abs(across - 1.2) + std::abs(y - 0.35);
    if (corner < 0.2) value = corner > 0.17 ? 0.95 : 0.15;
    // Bars that grow finer to the right, and a wedge from black to white.
    if (y > 0.03 && y < 0.11 && x > 0.5 && x < 0.97) value = 0.5 + 0.5 * std::cos(700 * (x - 0.5) * (x - 0.5));
    if (y > 0.03 && y < 0.11 && x > 0.03 && x < 0.44) value = std::floor(8 * (x - 0.03) / 0.41) / 7;
    // A plate with large and small letters.
    if (across > 0.72 && across < 1.46 && y > 0.64 && y < 0.95) {
        value = 0.92;
        if (on_text("GPU", (across - 0.78) / 0.024, (y - 0.68) / 0.024)) value = 0.08;
        if (on_text("HALO", (across - 0.78) / 0.009, (y - 0.87) / 0.009)) value = 0.3;
        if (on_text("TILE 3X3", (across - 1.03) / 0.009, (y - 0.87) / 0.009)) value = 0.3;
    }
    return value;
}

}  // namespace detail

/// A grey picture from 0 to 1 of any size: edges in many directions, even and curved gradients, fine bars, letters.
inline Matrix<float> test_image(std::int64_t rows, std::int64_t columns) {
    Matrix<float> image(rows, columns);
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
            image(row, column) = static_cast<float>(detail::test_image_at(
                (static_cast<double>(column) + 0.5) / static_cast<double>(columns),
                (static_cast<double>(row) + 0.5) / static_cast<double>(rows)));
    return image;
}

}  // namespace course
