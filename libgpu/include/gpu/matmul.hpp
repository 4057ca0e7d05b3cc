// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include <gpu/reduction_call.hpp>

/// @file
/// Products of vectors and matrices. Types promote as in expressions; integers stay integers and wrap around, float16
/// accumulates in float32. Products are queued in the current stream; nothing waits.

namespace gpu {

/// The destination of a product: `matmul(a, b, {.out = gpu::out(c)})`, an array or view of its shape and type.
struct ProductInto {
    Output out;
};

/// The axes that tensordot() sums over: the first of `left` with the first of `right`, and so on.
struct TensordotAxes {
    Axes left, right;
};

/// @cond internal
namespace detail {

/// NumPy's products of two operands, by what they sum over.
enum class Product : std::uint8_t { matmul, dot, inner, vdot };

GPU_API ArrayCore product(Product kind, DType type, const NodePointer& a, const NodePointer& b);
GPU_API void matmul_into(DType type, const NodePointer& a, const NodePointer& b, const ArrayCore& out);
GPU_API ArrayCore outer(DType type, const NodePointer& a, const NodePointer& b);
GPU_API ArrayCore tensordot(DType type, const NodePointer& a, const NodePointer& b, int axes);
GPU_API ArrayCore tensordot(DType type, const NodePointer& a, const NodePointer& b, const TensordotAxes& axes);
GPU_API ArrayCore kron(DType type, const NodePointer& a, const NodePointer& b);
// `b` is null for one operand.
GPU_API ArrayCore einsum(std::string_view subscripts, DType type, const NodePointer& a, const NodePointer& b);

template <class A, class B>
constexpr DType product_dtype() {
    constexpr DType type = common_dtype<A, B>();
    static_assert(type != DType::boolean, "a product of bools isn't defined: write x.astype<int>()");
    return type;
}
template <class A, class B>
using ProductOf = typename CppType<product_dtype<A, B>()>::type;

template <class A, class B>
Array<ProductOf<A, B>> product(Product kind, const A& a, const B& b) {
    return Array<ProductOf<A, B>>(product(kind, product_dtype<A, B>(), to_node(a), to_node(b)));
}

}  // namespace detail
/// @endcond

/// The matrix product over the last two axes; axes before them broadcast. A vector on the left is a row, on the right a
/// column, and its axis is absent from the result. Matrices in row-major or column-major order, transposed or windows
/// on larger ones, are read in place.
/// @throws LinAlgError for shapes that don't fit; DeviceError
/// @snippet linalg/matmul_test.cpp matmul
template <detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] auto matmul(const A& a, const B& b) {
    return detail::product(detail::Product::matmul, a, b);
}
/// Writes the product to an existing array.
/// @snippet linalg/matmul_test.cpp matmul_out
template <detail::ArrayLike A, detail::ArrayLike B>
void matmul(const A& a, const B& b, const ProductInto& into) {
    detail::matmul_into(detail::product_dtype<A, B>(), detail::to_node(a), detail::to_node(b), into.out.core());
}

/// The sum of products of two vectors; matmul() for matrices; in general over the last axis of `a` and the second to
/// last of `b`. An array without axes is a factor.
/// @throws LinAlgError
/// @snippet linalg/matmul_test.cpp dot
template <detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] auto dot(const A& a, const B& b) {
    return detail::product(detail::Product::dot, a, b);
}

/// The sum of products over the last axis of both. @throws LinAlgError
/// @snippet linalg/matmul_test.cpp dot
template <detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] auto inner(const A& a, const B& b) {
    return detail::product(detail::Product::inner, a, b);
}

/// The sum of products of all elements in row-major order, those of `a` conjugated. @throws LinAlgError
/// @snippet linalg/matmul_test.cpp dot
template <detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] auto vdot(const A& a, const B& b) {
    return detail::product(detail::Product::vdot, a, b);
}

/// Each element of `a` times each of `b`, as a matrix; both are flattened first.
/// @snippet linalg/matmul_test.cpp dot
template <detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] auto outer(const A& a, const B& b) {
    using T = detail::ProductOf<A, B>;
    return Array<T>(detail::outer(dtype_of<T>, detail::to_node(a), detail::to_node(b)));
}

/// The sum of products over the last `axes` axes of `a` and the first of `b`. @throws LinAlgError; AxisError
/// @snippet linalg/matmul_test.cpp tensordot
template <detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] auto tensordot(const A& a, const B& b, int axes = 2) {
    using T = detail::ProductOf<A, B>;
    return Array<T>(detail::tensordot(dtype_of<T>, detail::to_node(a), detail::to_node(b), axes));
}
/// The same over named axes: `tensordot(a, b, {.left = {1, 0}, .right = {0, 1}})`.
/// @snippet linalg/matmul_test.cpp tensordot
template <detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] auto tensordot(const A& a, const B& b, const TensordotAxes& axes) {
    using T = detail::ProductOf<A, B>;
    return Array<T>(detail::tensordot(dtype_of<T>, detail::to_node(a), detail::to_node(b), axes));
}

/// The Kronecker product: each element of `a` times all of `b`, as blocks side by side. The shape has the products of
/// the lengths; the array with fewer axes gets leading ones.
/// @throws LinAlgError if `a` and `b` together have more than 8 axes with two or more elements
/// @snippet functions/einsum_test.cpp kron
template <detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] auto kron(const A& a, const B& b) {
    using T = detail::ProductOf<A, B>;
    return Array<T>(detail::kron(dtype_of<T>, detail::to_node(a), detail::to_node(b)));
}

/// Products and sums in Einstein's notation: `einsum("ij,jk->ik", a, b)` is a matrix product. Each operand's axes get
/// letters; elements whose letters agree are multiplied, and what isn't named behind `->` is summed over. Without `->`,
/// the result has the letters that occur once, in alphabetical order. A letter that an operand repeats is a diagonal;
/// an axis of length 1 broadcasts.
///
/// A sum over letters that both operands have is a matrix product. The result has the operands' common type; integers
/// wrap around as in matmul(). An ellipsis isn't supported; for more than two operands, call einsum() again.
/// @throws LinAlgError, with the subscripts, if they can't be read or don't fit the shapes
/// @snippet functions/einsum_test.cpp einsum
template <detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] auto einsum(std::string_view subscripts, const A& a, const B& b) {
    using T = detail::ProductOf<A, B>;
    return Array<T>(detail::einsum(subscripts, dtype_of<T>, detail::to_node(a), detail::to_node(b)));
}
/// The same for one operand: `einsum("ii->i", a)` is a diagonal, `einsum("ij->j", a)` a sum over rows.
/// @snippet functions/einsum_test.cpp einsum
template <detail::ArrayLike A>
[[nodiscard]] auto einsum(std::string_view subscripts, const A& a) {
    using T = detail::ProductOf<A, A>;
    return Array<T>(detail::einsum(subscripts, dtype_of<T>, detail::to_node(a), nullptr));
}
/// @cond internal
template <class A, class B, class C, class... More>
auto einsum(std::string_view, const A& a, const B&, const C&, const More&...) {
    static_assert(sizeof(A) == 0,
                  "einsum takes one or two operands: multiply the first two, then the result by the third");
    return a;
}
/// @endcond

}  // namespace gpu
