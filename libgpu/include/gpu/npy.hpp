// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <gpu/expression.hpp>

/// @file
/// NumPy's `.npy` files, as `numpy.save` and `numpy.load` write and read them.

namespace gpu {

/// @cond internal
namespace detail {
GPU_API ArrayCore load_npy(const std::string& path);
GPU_API ArrayCore load_npy(const std::string& path, DType wanted);
GPU_API void save_npy(const std::string& path, const ArrayCore& array);
}  // namespace detail
/// @endcond

/// Reads a file written by `numpy.save` to a new array on the current device. Fortran order becomes column-major;
/// big-endian numbers are converted.
/// @throws FileError if it can't be read, is truncated or isn't such a file
/// @throws DTypeError if its elements aren't T; ShapeError if an array can't have its shape
/// @snippet public/print_test.cpp npy
template <Element T>
[[nodiscard]] Array<T> load_npy(const std::string& path) {
    return Array<T>(detail::load_npy(path, dtype_of<T>));
}
/// The same with the file's own element type.
/// @snippet public/print_test.cpp any
[[nodiscard]] inline AnyArray load_npy(const std::string& path) { return AnyArray(detail::load_npy(path)); }

/// Writes an array, a view or an expression to a file for `numpy.load`; waits. A column-major array is written in
/// Fortran order, everything else in C order. @throws FileError if it can't be written
/// @snippet public/print_test.cpp npy
template <detail::Lazy A>
void save_npy(const std::string& path, const A& array) {
    if constexpr (requires { array.core(); })
        detail::save_npy(path, array.core("save_npy"));
    else
        detail::save_npy(path, array.eval().core());
}
inline void save_npy(const std::string& path, const AnyArray& array) { detail::save_npy(path, array.core("save_npy")); }

}  // namespace gpu
