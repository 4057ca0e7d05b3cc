// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/array.hpp>
#include <gpu/reduction_call.hpp>

/// @file
/// New arrays: filled with one value, evenly spaced numbers and grids of them; matrices with ones on a diagonal,
/// triangles and diagonals of matrices.

namespace gpu {

/// @cond internal
namespace detail {
GPU_API ArrayCore full(DType dtype, const Shape& shape, const NodePointer& value, Layout layout = Layout::row_major);
GPU_API ArrayCore full_like(const ArrayCore& model, DType dtype, const NodePointer& value);
GPU_API ArrayCore empty_like(const ArrayCore& model, DType dtype);
// The element type of a copy of `model`: its own unless T is given.
template <class T, class A>
struct LikeOf {
    using type = T;
};
template <class A>
struct LikeOf<void, A> {
    using type = LazyElement<A>;
};
template <class T, class A>
using Like = typename LikeOf<T, A>::type;
// An array of this shape, layout and device.
GPU_API ArrayCore model_of(const NodePointer& value);
template <class A>
ArrayCore model_of(const A& model, const char* operation) {
    if constexpr (HasCore<A>)
        return model.core(operation);
    else
        return model_of(to_node(model));
}
}  // namespace detail
/// @endcond

/// A new array on the current device, with uninitialised elements. As in all functions, `long long` makes an array of
/// std::int64_t, and `std::complex<float>` one of gpu::complex<float>; the arrays' types have the latter names.
/// @snippet public/create_test.cpp full
template <Arithmetic T>
[[nodiscard]] Array<ArrayElement<T>> empty(const Shape& shape, Layout layout = Layout::row_major) {
    return Array<ArrayElement<T>>(detail::make_array(dtype_of<T>, shape, layout));
}
/// A new array on the current device, filled with one value there: nothing is copied from the host.
/// @throws DTypeError for a number out of an integer type's range: `full<std::uint8_t>({3}, 300)`
/// @snippet public/create_test.cpp full
template <Arithmetic T>
[[nodiscard]] Array<ArrayElement<T>> full(const Shape& shape, T value, Layout layout = Layout::row_major) {
    return Array<ArrayElement<T>>(detail::full(dtype_of<T>, shape, detail::to_node(value), layout));
}
template <Arithmetic T, Arithmetic S>
    requires(!std::is_same_v<T, S>)
[[nodiscard]] Array<ArrayElement<T>> full(const Shape& shape, S value, Layout layout = Layout::row_major) {
    using E = ArrayElement<T>;
    return Array<E>(detail::full(dtype_of<T>, shape, detail::element_node<E>(value, "full"), layout));
}
/// A new array of zeros on the current device.
/// @snippet public/create_test.cpp full
template <Arithmetic T>
[[nodiscard]] Array<ArrayElement<T>> zeros(const Shape& shape, Layout layout = Layout::row_major) {
    return gpu::full<T>(shape, T(0), layout);
}
/// A new array of ones on the current device.
/// @snippet public/create_test.cpp full
template <Arithmetic T>
[[nodiscard]] Array<ArrayElement<T>> ones(const Shape& shape, Layout layout = Layout::row_major) {
    return gpu::full<T>(shape, T(1), layout);
}

/// @cond internal
// Refused in words: lengths without braces, and elements without a type.
#define GPU_SHAPE_IN_BRACES(function)                                                                        \
    template <Arithmetic T, std::integral... I>                                                              \
        requires(sizeof...(I) > 1)                                                                           \
    Array<ArrayElement<T>> function(I...) {                                                                  \
        static_assert(sizeof...(I) == 0, "a shape stands in braces: write gpu::" #function "<T>({2, 3})");   \
        return {};                                                                                           \
    }                                                                                                        \
    template <class T = void>                                                                                \
        requires std::is_void_v<T>                                                                           \
    Array<float> function(const Shape&, Layout = Layout::row_major) {                                        \
        static_assert(!std::is_void_v<T>, "what are its elements? Write gpu::" #function "<float>({2, 3})"); \
        return {};                                                                                           \
    }                                                                                                        \
    template <class T = void, std::integral... I>                                                            \
        requires(std::is_void_v<T> && sizeof...(I) > 1)                                                      \
    Array<float> function(I...) {                                                                            \
        static_assert(!std::is_void_v<T>, "what are its elements? Write gpu::" #function "<float>({2, 3})"); \
        return {};                                                                                           \
    }
GPU_SHAPE_IN_BRACES(empty)
GPU_SHAPE_IN_BRACES(zeros)
GPU_SHAPE_IN_BRACES(ones)
#undef GPU_SHAPE_IN_BRACES
#define GPU_NAMED_ELEMENTS(function, example)                                                      \
    template <class T = void, class... A>                                                          \
        requires(std::is_void_v<T> && (std::is_arithmetic_v<A> && ...))                            \
    Array<float> function(A...) {                                                                  \
        static_assert(!std::is_void_v<T>, "what are its elements? Write gpu::" #function example); \
        return {};                                                                                 \
    }
GPU_NAMED_ELEMENTS(arange, "<int>(5)")
GPU_NAMED_ELEMENTS(linspace, "<float>(0, 1, 5)")
GPU_NAMED_ELEMENTS(eye, "<float>(3)")
GPU_NAMED_ELEMENTS(identity, "<float>(3)")
#undef GPU_NAMED_ELEMENTS
/// @endcond

/// A new array with the shape, layout, device and (unless T is given) element type of an array, a view or an
/// expression, which isn't evaluated. Its elements are uninitialised.
/// @snippet public/create_test.cpp like
template <class T = void, detail::ArrayLike A>
[[nodiscard]] Array<detail::Like<T, A>> empty_like(const A& model) {
    return Array<detail::Like<T, A>>(
        detail::empty_like(detail::model_of(model, "empty_like"), dtype_of<detail::Like<T, A>>));
}
/// Like empty_like(), filled with one value. @throws as full()
/// @snippet public/create_test.cpp like
template <class T = void, detail::ArrayLike A>
[[nodiscard]] Array<detail::Like<T, A>> full_like(const A& model, std::type_identity_t<detail::Like<T, A>> value) {
    using E = detail::Like<T, A>;
    return Array<E>(detail::full_like(detail::model_of(model, "full_like"), dtype_of<E>, detail::to_node(value)));
}
template <class T = void, detail::ArrayLike A, Arithmetic S>
    requires(!std::is_same_v<S, detail::Like<T, A>>)
[[nodiscard]] Array<detail::Like<T, A>> full_like(const A& model, S value) {
    using E = detail::Like<T, A>;
    return Array<E>(detail::full_like(detail::model_of(model, "full_like"), dtype_of<E>,
                                      detail::element_node<E>(value, "full_like")));
}
/// Like empty_like(), filled with zeros.
/// @snippet public/create_test.cpp like
template <class T = void, detail::ArrayLike A>
[[nodiscard]] Array<detail::Like<T, A>> zeros_like(const A& model) {
    return gpu::full_like<T>(model, detail::Like<T, A>(0));
}
/// Like empty_like(), filled with ones.
/// @snippet public/create_test.cpp like
template <class T = void, detail::ArrayLike A>
[[nodiscard]] Array<detail::Like<T, A>> ones_like(const A& model) {
    return gpu::full_like<T>(model, detail::Like<T, A>(1));
}

/// @cond internal
namespace detail {
GPU_API ArrayCore arange(DType dtype, double start, double stop, double step);
GPU_API ArrayCore arange(DType dtype, std::int64_t start, std::int64_t stop, std::int64_t step);
// For uint64: the bits of the arguments, and whether they have signs.
// @throws DTypeError unless the type holds all elements
GPU_API void check_arange(std::uint64_t start, bool signed_start, std::uint64_t stop, bool signed_stop,
                          std::uint64_t step, bool signed_step);
GPU_API ArrayCore linspace(DType dtype, double start, double stop, std::int64_t count, bool endpoint);
GPU_API ArrayCore logspace(DType dtype, double start, double stop, std::int64_t count, bool endpoint, double base);
GPU_API std::vector<ArrayCore> meshgrid(const std::vector<ArrayCore>& axes, bool first_is_row);
}  // namespace detail
/// @endcond

/// start, start + step, ... up to but not including `stop`; computed on the device. Integers from integer arguments are
/// exact; everything else is computed in double, then converted.
/// @throws ShapeError if `step` is 0 or an end isn't finite; DTypeError if an integer type doesn't hold all elements
/// @snippet public/create_test.cpp arange
template <Arithmetic T>
[[nodiscard]] Array<ArrayElement<T>> arange(double start, double stop, double step = 1) {
    return Array<ArrayElement<T>>(detail::arange(dtype_of<T>, start, stop, step));
}
template <Arithmetic T, std::integral A, std::integral B, std::integral C = int>
    requires std::integral<T>
[[nodiscard]] Array<ArrayElement<T>> arange(A start, B stop, C step = 1) {
    if constexpr (sizeof(T) == 8 && std::is_unsigned_v<T>)
        detail::check_arange(start, std::is_signed_v<A>, stop, std::is_signed_v<B>, step, std::is_signed_v<C>);
    return Array<ArrayElement<T>>(detail::arange(dtype_of<T>, static_cast<std::int64_t>(start),
                                                 static_cast<std::int64_t>(stop), static_cast<std::int64_t>(step)));
}
template <Arithmetic T, class S>
    requires std::is_arithmetic_v<S>
[[nodiscard]] Array<ArrayElement<T>> arange(S stop) {
    return gpu::arange<T>(S(0), stop);
}

/// The options of linspace().
struct LinspaceOptions {
    Flag endpoint = true;  ///< `stop` is the last element; otherwise it is left out
};
/// `count` numbers from `start` to `stop`, evenly spaced; computed in double on the device, then converted.
/// @throws ShapeError if `count` is negative; DTypeError if an integer type doesn't hold all elements
/// @snippet public/create_test.cpp linspace
template <Arithmetic T>
[[nodiscard]] Array<ArrayElement<T>> linspace(double start, double stop, std::int64_t count,
                                              const LinspaceOptions& options = {}) {
    return Array<ArrayElement<T>>(detail::linspace(dtype_of<T>, start, stop, count, options.endpoint));
}
/// The same with NumPy's next argument: `linspace<float>(0, 1, 4, false)`. @snippet public/create_test.cpp linspace
template <Arithmetic T, std::same_as<bool> B>
[[nodiscard]] Array<ArrayElement<T>> linspace(double start, double stop, std::int64_t count, B endpoint) {
    return gpu::linspace<T>(start, stop, count, LinspaceOptions{.endpoint = endpoint});
}

/// The options of logspace().
struct LogspaceOptions {
    Flag endpoint = true;
    double base = 10;
};
/// `base` to the powers linspace(start, stop, count): from base^start to base^stop.
/// @snippet public/create_test.cpp linspace
template <Arithmetic T>
[[nodiscard]] Array<ArrayElement<T>> logspace(double start, double stop, std::int64_t count,
                                              const LogspaceOptions& options = {}) {
    return Array<ArrayElement<T>>(detail::logspace(dtype_of<T>, start, stop, count, options.endpoint, options.base));
}

/// The order of meshgrid()'s axes: `ij` as in matrices, `xy` with the first two exchanged, as in images.
enum class Indexing : std::uint8_t { xy, ij };

/// The options of meshgrid(), where the order is given by name.
struct MeshgridOptions {
    Indexing indexing = Indexing::xy;
};

/// The coordinates of all points of a grid: `auto [gx, gy] = gpu::meshgrid(x, y)`. With `xy`, NumPy's default, both
/// have shape (len y, len x); with `ij`, (len x, len y). @throws ShapeError unless each input has at most one axis
/// @snippet public/create_test.cpp meshgrid
template <detail::ArrayLike A, detail::ArrayLike B>
    requires std::same_as<detail::LazyElement<A>, detail::LazyElement<B>>
[[nodiscard]] auto meshgrid(const A& x, const B& y, Indexing indexing = Indexing::xy) {
    auto made =
        detail::meshgrid({detail::core_of(x, "meshgrid"), detail::core_of(y, "meshgrid")}, indexing == Indexing::ij);
    using T = detail::LazyElement<A>;
    return std::array<Array<T>, 2>{Array<T>(std::move(made[0])), Array<T>(std::move(made[1]))};
}
template <detail::ArrayLike A, detail::ArrayLike B, detail::ArrayLike C>
    requires std::same_as<detail::LazyElement<A>, detail::LazyElement<B>> &&
             std::same_as<detail::LazyElement<A>, detail::LazyElement<C>>
[[nodiscard]] auto meshgrid(const A& x, const B& y, const C& z, Indexing indexing = Indexing::xy) {
    auto made = detail::meshgrid(
        {detail::core_of(x, "meshgrid"), detail::core_of(y, "meshgrid"), detail::core_of(z, "meshgrid")},
        indexing == Indexing::ij);
    using T = detail::LazyElement<A>;
    return std::array<Array<T>, 3>{Array<T>(std::move(made[0])), Array<T>(std::move(made[1])),
                                   Array<T>(std::move(made[2]))};
}
template <detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] auto meshgrid(const A& x, const B& y, const MeshgridOptions& options) {
    return gpu::meshgrid(x, y, options.indexing);
}
template <detail::ArrayLike A, detail::ArrayLike B, detail::ArrayLike C>
[[nodiscard]] auto meshgrid(const A& x, const B& y, const C& z, const MeshgridOptions& options) {
    return gpu::meshgrid(x, y, z, options.indexing);
}
/// @cond internal
template <detail::ArrayLike A, detail::ArrayLike B, std::size_t N>
auto meshgrid(const A& x, const B& y, const char (&)[N]) {
    static_assert(N == 0, "the order is named: write gpu::meshgrid(x, y, gpu::Indexing::ij)");
    return gpu::meshgrid(x, y);
}
template <detail::ArrayLike A, detail::ArrayLike B, detail::ArrayLike C, std::size_t N>
auto meshgrid(const A& x, const B& y, const C& z, const char (&)[N]) {
    static_assert(N == 0, "the order is named: write gpu::meshgrid(x, y, z, gpu::Indexing::ij)");
    return gpu::meshgrid(x, y, z);
}
/// @endcond
/// The same for any number of axes up to 8. @snippet public/create_test.cpp meshgrid
template <detail::ArrayLike A>
[[nodiscard]] auto meshgrid(const std::vector<A>& axes, Indexing indexing = Indexing::xy) {
    std::vector<detail::ArrayCore> cores;
    for (const A& axis : axes) cores.push_back(detail::core_of(axis, "meshgrid"));
    std::vector<Array<detail::LazyElement<A>>> grids;
    for (auto& core : detail::meshgrid(cores, indexing == Indexing::ij)) grids.emplace_back(std::move(core));
    return grids;
}

/// @cond internal
namespace detail {
GPU_API ArrayCore eye(DType dtype, std::int64_t rows, std::int64_t columns, std::int64_t offset);
GPU_API ArrayCore diag(const NodePointer& value, std::int64_t offset);
GPU_API NodePointer diagonal_node(const NodePointer& value, std::int64_t offset, int axis1, int axis2);
GPU_API ArrayCore triangle(const NodePointer& value, std::int64_t offset, bool lower);
}  // namespace detail
/// @endcond

/// Ones where column - row equals `offset`, zeros elsewhere.
/// @snippet public/create_test.cpp eye
template <Arithmetic T>
[[nodiscard]] Array<ArrayElement<T>> eye(std::int64_t rows, std::int64_t columns, std::int64_t offset = 0) {
    return Array<ArrayElement<T>>(detail::eye(dtype_of<T>, rows, columns, offset));
}
/// @snippet public/create_test.cpp eye
template <Arithmetic T>
[[nodiscard]] Array<ArrayElement<T>> eye(std::int64_t rows) {
    return gpu::eye<T>(rows, rows, 0);
}
/// NumPy's other name for a square eye().
/// @snippet public/create_test.cpp eye
template <Arithmetic T>
[[nodiscard]] Array<ArrayElement<T>> identity(std::int64_t rows) {
    return gpu::eye<T>(rows);
}

/// A copy with zeros above the diagonal `offset` of the last two axes. @throws ShapeError below two axes
/// @snippet public/create_test.cpp triangles
template <detail::ArrayLike A>
[[nodiscard]] auto tril(const A& a, std::int64_t offset = 0) {
    return Array<detail::LazyElement<A>>(detail::triangle(detail::to_node(a), offset, true));
}
/// A copy with zeros below the diagonal `offset` of the last two axes. @throws ShapeError below two axes
/// @snippet public/create_test.cpp triangles
template <detail::ArrayLike A>
[[nodiscard]] auto triu(const A& a, std::int64_t offset = 0) {
    return Array<detail::LazyElement<A>>(detail::triangle(detail::to_node(a), offset, false));
}
/// Ones on and below the diagonal `offset`, zeros elsewhere.
/// @snippet public/create_test.cpp triangles
template <Arithmetic T>
[[nodiscard]] Array<ArrayElement<T>> tri(std::int64_t rows, std::int64_t columns, std::int64_t offset = 0) {
    return gpu::tril(gpu::ones<T>({rows, columns}), offset);
}

/// For a vector, a square matrix with its elements on the diagonal `offset` and zeros elsewhere; for a matrix, a copy
/// of that diagonal. @throws ShapeError unless there are one or two axes
/// @snippet public/create_test.cpp diag
template <detail::ArrayLike A>
[[nodiscard]] auto diag(const A& a, std::int64_t offset = 0) {
    return Array<detail::LazyElement<A>>(detail::diag(detail::to_node(a), offset));
}

/// The sum along a diagonal, see x.diagonal(), with the types of sum(); with more than two axes, an array of such sums.
/// @throws ShapeError below two axes; AxisError
/// @snippet public/create_test.cpp diag
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto trace(const A& a, std::int64_t offset = 0, int axis1 = 0, int axis2 = 1) {
    using T = detail::ResultOr<R, detail::SumOf<detail::LazyElement<A>>>;
    static_assert(!std::is_same_v<T, bool>, "a sum isn't true or false: write trace<int>(x)");
    static_assert(detail::holds<T, A>, "the sum of complex numbers is complex: name a complex type");
    return Array<T>(detail::reduce(
        {.kind = detail::Reduction::sum, .element = detail::accumulator(dtype_of<T>), .result = dtype_of<T>},
        detail::diagonal_node(detail::to_node(a), offset, axis1, axis2), {.axis = -1}));
}

}  // namespace gpu
