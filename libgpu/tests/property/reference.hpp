// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gpu/dtype.hpp>
#include <gpu/shape.hpp>

/// The reference of the property test: plain loops over elements in (complex) long double, and for each element a bound
/// of what a right implementation may differ by. Nothing here calls libgpu's arithmetic.
///
/// **The bound** is running error analysis. An element is a ball: the exact value of the expression with the given
/// inputs, and a radius `error` that covers what any order of rounding may give.
///  - Inputs are exact: radius 0. So are booleans and integers (computed in 128 bits, then wrapped as the type wraps).
///  - An operation of a floating type with eps = 2^(1-digits) adds `ulps * eps * |result|` and `ulps` of the smallest
///    subnormal: 1/2 for what IEEE rounds correctly (a fused multiply-add rounds once instead of twice and stays
///    within it), and for functions what CUDA's and glibc's tables state, rounded up.
///  - Operands' radii pass through by the operation's conditioning: the function is evaluated at the ends of the
///    operands' intervals (at the corners for two of them; four points around a complex number), which is exact for
///    what is monotone there.
///  - A sum of n terms adds `n * eps * sum |x|`, whatever the order of summation.
///  - Where a radius reaches across a jump (a comparison, floor, a conversion to an integer, a division by an interval
///    around 0, overflow), nothing can be said: the radius is infinite, and the element is not judged. The test counts
///    these and fails if there are many.
/// A result is right if `!(|got - want| > error)` with NaN exactly where NaN is wanted; the sign of 0 isn't compared.
namespace property {

using Real = long double;
__extension__ using Wide = __int128;

inline constexpr int dtype_count = gpu::detail::dtype_count;

/// A ball: the exact value lies within `error` of it.
struct Element {
    Real re = 0, im = 0, error = 0;
};

inline constexpr Real infinity = std::numeric_limits<Real>::infinity();
inline constexpr Real not_a_number = std::numeric_limits<Real>::quiet_NaN();

[[nodiscard]] inline Element unknown() { return {0, 0, infinity}; }
[[nodiscard]] inline bool is_known(const Element& x) { return x.error < infinity; }

/// What the reference knows of a dtype.
struct Format {
    enum class Kind : std::uint8_t { boolean, integer, real, complex } kind;
    bool is_signed;
    int bits;       ///< of an integer; of a real number or of one part of a complex one
    Real eps;       ///< 2^(1-digits)
    Real smallest;  ///< subnormal
    Real largest;
};
[[nodiscard]] const Format& format_of(gpu::DType type);
[[nodiscard]] inline bool is_integral(gpu::DType type) { return format_of(type).kind <= Format::Kind::integer; }

/// NumPy's promotion of two arrays' types, from its kinds and sizes.
[[nodiscard]] gpu::DType promoted(gpu::DType a, gpu::DType b);
/// The type that a function of real numbers works in: integers go through double.
[[nodiscard]] gpu::DType floating(gpu::DType type);

/// An exact result as the type can hold it. Integers wrap.
[[nodiscard]] Element rounded(gpu::DType type, const Element& exact, Real ulps);
/// astype: towards zero and saturating from floating to integer, NaN to 0; integers wrap.
[[nodiscard]] Element converted(gpu::DType from, gpu::DType to, const Element& x);

/// An integer result, wrapped to the type's bits.
[[nodiscard]] Element wrapped(gpu::DType type, Wide exact);
[[nodiscard]] inline Wide integer(const Element& x) { return static_cast<Wide>(x.re); }

/// f over the intervals of its operands; f must be monotone in each of them there.
[[nodiscard]] Element through(Real (*f)(Real), const Element& x);
[[nodiscard]] Element through(Real (*f)(Real, Real), const Element& x, const Element& y);

/// True if the interval reaches `at` although it isn't exactly there: a jump at `at` can't be decided.
[[nodiscard]] inline bool straddles(const Element& x, Real at) {
    return x.error > 0 && x.re - x.error <= at && at <= x.re + x.error;
}

/// Elements in row-major order.
struct Elements {
    gpu::DType dtype = gpu::DType::float32;
    gpu::Shape shape;
    std::vector<Element> values;
};

/// Calls f(position) for every position of the shape, in row-major order; position is a std::vector<std::int64_t>.
template <class F>
void for_each_position(const gpu::Shape& shape, F f) {
    std::vector<std::int64_t> at(static_cast<std::size_t>(shape.rank()), 0);
    const std::int64_t size = shape.size();
    for (std::int64_t k = 0; k < size; ++k) {
        f(static_cast<const std::vector<std::int64_t>&>(at));
        for (int axis = shape.rank() - 1; axis >= 0; --axis) {
            if (++at[static_cast<std::size_t>(axis)] < shape[axis]) break;
            at[static_cast<std::size_t>(axis)] = 0;
        }
    }
}

/// The row-major number of a position.
[[nodiscard]] inline std::size_t number_of(const gpu::Shape& shape, const std::vector<std::int64_t>& at) {
    std::int64_t number = 0;
    for (int axis = 0; axis < shape.rank(); ++axis) number = number * shape[axis] + at[static_cast<std::size_t>(axis)];
    return static_cast<std::size_t>(number);
}

/// The elements seen in a larger shape, as NumPy broadcasts.
[[nodiscard]] Elements broadcasted(const Elements& from, const gpu::Shape& shape);

}  // namespace property
