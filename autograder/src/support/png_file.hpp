// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace course {

/// A PNG file's bytes with these pixels: 8 bits for each of 1 (grey) or 3 channels (red, green, blue), row by row.
/// @throws std::runtime_error for a size that no file has, such as 0 pixels.
std::string png_file(int rows, int columns, int channels, std::span<const std::uint8_t> pixels);

}  // namespace course
