// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include <gpu/expression.hpp>
#include <gpu/shape.hpp>

namespace gpu {

/// How an array is printed; NumPy's names and defaults.
struct PrintOptions {
    int precision = 8;              ///< maximum digits after the point
    std::int64_t threshold = 1000;  ///< larger arrays are summarised
    int edge_items = 3;             ///< elements shown at each end of a summarised axis
    int line_width = 75;            ///< characters per line
    Flag suppress_small = false;    ///< never switch to exponents because of small numbers
};

/// @cond internal
namespace detail {
GPU_API std::string text_of(const ArrayCore& array, const PrintOptions& options);

/// While one exists, nothing that this thread does is counted: looking at an array is free.
class GPU_API Printing {
public:
    Printing() noexcept;
    ~Printing();
    Printing(const Printing&) = delete;
    Printing& operator=(const Printing&) = delete;
};
}  // namespace detail
/// @endcond

/// The elements as NumPy's `str` prints them; waits. If an array has more than `threshold` elements, only those shown
/// are copied to the host. gpu::counts() counts none of this except one of `prints`.
/// @snippet public/print_test.cpp print
template <detail::Lazy A>
[[nodiscard]] std::string to_string(const A& array, const PrintOptions& options = {}) {
    const detail::Printing printing;
    if constexpr (requires { array.core(); })
        return detail::text_of(array.core("print"), options);
    else
        return detail::text_of(array.eval().core(), options);
}
[[nodiscard]] inline std::string to_string(const AnyArray& array, const PrintOptions& options = {}) {
    const detail::Printing printing;
    return detail::text_of(array.core("print"), options);
}

/// Prints as `to_string` does; waits.
/// @snippet public/print_test.cpp print
template <class Traits, class A>
    requires detail::Lazy<A>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& stream, const A& array) {
    return stream << gpu::to_string(array);
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& stream, const AnyArray& array) {
    return stream << gpu::to_string(array);
}

/// "(2,3)", as to_string() of a shape or of strides.
/// @snippet public/print_test.cpp facts
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& stream, const Extents& extents) {
    return stream << gpu::to_string(extents);
}
/// The type's name(): "float32".
/// @snippet public/print_test.cpp facts
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& stream, DType type) {
    return stream << gpu::name(type);
}
/// The device's to_string(): "cuda:0", "host:0".
/// @snippet public/print_test.cpp facts
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& stream, Device device) {
    return stream << device.to_string();
}

}  // namespace gpu
