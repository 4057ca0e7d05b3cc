// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// What the files of pictures have in common.
namespace gpu::detail::image_files {

using Bytes = std::vector<std::uint8_t>;

/// A picture of 8 or, in the machine's byte order, 16 bits a sample, row by row.
struct Pixels {
    std::int64_t height = 0, width = 0, channels = 1;
    std::uint32_t largest = 255;  ///< what stands for 1: more than 255 means two bytes a sample
    Bytes bytes;
};

/// @throws FileError that begins with `where`
[[nodiscard]] Bytes read_bytes(const std::string& path, const std::string& where);
void write_bytes(const std::string& path, const Bytes& bytes, const std::string& where);

/// Bytes that a picture takes. @throws FileError if a length is 0, or they are more than the file can hold
[[nodiscard]] std::size_t checked_size(const Pixels& picture, std::size_t capacity, const std::string& where);

[[nodiscard]] bool is_png(const Bytes& file);
[[nodiscard]] Pixels read_png(const Bytes& file, const std::string& where);
[[nodiscard]] Bytes png_of(const Pixels& picture, const std::string& where);

[[nodiscard]] bool is_netpbm(const Bytes& file);
[[nodiscard]] Pixels read_netpbm(const Bytes& file, const std::string& where);
/// P5 of one channel, P6 of three.
[[nodiscard]] Bytes netpbm_of(const Pixels& picture);

}  // namespace gpu::detail::image_files
