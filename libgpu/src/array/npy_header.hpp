// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <gpu/dtype.hpp>
#include <gpu/shape.hpp>

namespace gpu::detail {

/// What a `.npy` file says about its elements.
struct NpyHeader {
    DType dtype = DType::float32;
    bool big_endian = false;
    Layout layout = Layout::row_major;
    Shape shape;
};

inline constexpr std::string_view npy_magic{"\x93NUMPY", 6};

/// Reads the Python dictionary of a header. @param where for messages: "load_npy(x.npy)"
/// @throws FileError, DTypeError, ShapeError
NpyHeader parse_npy_header(std::string_view text, const std::string& where);

/// The file's bytes before its elements, padded to a multiple of 64; declares the elements little-endian.
std::string npy_start(const NpyHeader& header);

}  // namespace gpu::detail
