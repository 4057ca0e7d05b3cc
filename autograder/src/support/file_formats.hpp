// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace course {

/// A file of an archive: its path there ("08-raw-add/raw_add.cu") and its bytes.
struct ArchivedFile {
    std::string path, bytes;
    friend bool operator==(const ArchivedFile&, const ArchivedFile&) = default;
};

/// A zip file's bytes with these files, in this order. The same files give the same bytes, on any day and machine: no
/// times, no owners, and stored uncompressed, so that no release of a compressor matters. Paths are UTF-8, and marked as
/// such. @throws std::runtime_error
std::string zip_archive(const std::vector<ArchivedFile>& files);

/// A PNG file's bytes with these pixels: 8 bits for each of 1 (grey) or 3 channels (red, green, blue), row by row.
/// @throws std::runtime_error for a size that no file has, such as 0 pixels.
std::string png_file(int rows, int columns, int channels, std::span<const std::uint8_t> pixels);

}  // namespace course
