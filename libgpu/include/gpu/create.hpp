// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <gpu/array.hpp>

namespace gpu {

/// @cond internal
namespace detail {
GPU_API ArrayCore full(DType dtype, const Shape& shape, const NodePointer& value,
                       Layout layout = Layout::row_major);
GPU_API ArrayCore full_like(const ArrayCore& model, DType dtype, const NodePointer& value);
GPU_API ArrayCore empty_like(const ArrayCore& model, DType dtype);
GPU_API ArrayCore arange(DType dtype, double start, double stop, double step);
GPU_API ArrayCore arange(DType dtype, std::int64_t start, std::int64_t stop, std::int64_t step);
GPU_API ArrayCore linspace(DType dtype, double start, double stop, std::int64_t count, bool endpoint);
GPU_API ArrayCore logspace(DType dtype, double start, double stop, std::int64_t count, bool endpoint, double base);
GPU_API ArrayCore eye(DType dtype, std::int64_t rows, std::int64_t columns, std::int64_t offset);
GPU_API ArrayCore triangle(const NodePointer& value, std::int64_t offset, bool lower);
GPU_API std::vector<ArrayCore> meshgrid(const std::vector<ArrayCore>& axes, bool first_is_row);
template <class A>
using ElementOf = typename OperandTraits<A>::element;
template <class A>
concept HasCore = Lazy<A> && requires(const A& a) { a.core(); };
// The element type of a copy of `model`: its own, unless another one is named.
template <class T, class A>
struct LikeOf {
    using type = T;
};
template <class A>
struct LikeOf<void, A> {
    using type = ElementOf<A>;
};
template <class T, class A>
using Like = typename LikeOf<T, A>::type;
}  // namespace detail
/// @endcond

/// A new array on the current device; its elements are whatever was there.
/// @snippet public/create_test.cpp full
template <Element T>
[[nodiscard]] Array<T> empty(const Shape& shape, Layout layout = Layout::row_major) {
    return Array<T>(detail::make_array(dtype_of<T>, shape, layout));
}
/// A new array on the current device, filled with one value there: nothing is copied from the host.
/// @snippet public/create_test.cpp full
template <Element T>
[[nodiscard]] Array<T> full(const Shape& shape, T value, Layout layout = Layout::row_major) {
    return Array<T>(detail::full(dtype_of<T>, shape, detail::to_node(value), layout));
}
/// @snippet public/create_test.cpp full
template <Element T>
[[nodiscard]] Array<T> zeros(const Shape& shape, Layout layout = Layout::row_major) {
    return gpu::full<T>(shape, T(0), layout);
}
/// @snippet public/create_test.cpp full
template <Element T>
[[nodiscard]] Array<T> ones(const Shape& shape, Layout layout = Layout::row_major) {
    return gpu::full<T>(shape, T(1), layout);
}

/// A new array like an array or a view: its shape, layout, device and (unless T says otherwise) element type.
/// @snippet public/create_test.cpp like
template <class T = void, detail::HasCore A>
[[nodiscard]] Array<detail::Like<T, A>> empty_like(const A& model) {
    return Array<detail::Like<T, A>>(detail::empty_like(model.core(), dtype_of<detail::Like<T, A>>));
}
/// @snippet public/create_test.cpp like
template <class T = void, detail::HasCore A>
[[nodiscard]] Array<detail::Like<T, A>> full_like(const A& model, std::type_identity_t<detail::Like<T, A>> value) {
    using E = detail::Like<T, A>;
    return Array<E>(detail::full_like(model.core(), dtype_of<E>, detail::to_node(value)));
}
/// @snippet public/create_test.cpp like
template <class T = void, detail::HasCore A>
[[nodiscard]] Array<detail::Like<T, A>> zeros_like(const A& model) {
    return gpu::full_like<T>(model, detail::Like<T, A>(0));
}
/// @snippet public/create_test.cpp like
template <class T = void, detail::HasCore A>
[[nodiscard]] Array<detail::Like<T, A>> ones_like(const A& model) {
    return gpu::full_like<T>(model, detail::Like<T, A>(1));
}

/// start, start + step, ... up to `stop`, which is left out; made on the device. Integers of integer arguments are
/// exact; everything else is computed in double, then converted.
/// @throws ShapeError if `step` is 0 or an end isn't finite.
/// @snippet public/create_test.cpp arange
template <Element T>
[[nodiscard]] Array<T> arange(double start, double stop, double step = 1) {
    return Array<T>(detail::arange(dtype_of<T>, start, stop, step));
}
template <Element T, std::integral A, std::integral B, std::integral C = int>
    requires std::integral<T>
[[nodiscard]] Array<T> arange(A start, B stop, C step = 1) {
    return Array<T>(detail::arange(dtype_of<T>, static_cast<std::int64_t>(start), static_cast<std::int64_t>(stop),
                                   static_cast<std::int64_t>(step)));
}
template <Element T, class S>
    requires std::is_arithmetic_v<S>
[[nodiscard]] Array<T> arange(S stop) {
    return gpu::arange<T>(S(0), stop);
}

/// How linspace() ends.
struct LinspaceOptions {
    bool endpoint = true;  ///< `stop` is the last element; else it is left out
};
/// `count` numbers from `start` to `stop`, evenly spaced; computed in double on the device, then converted.
/// @throws ShapeError if `count` is negative
/// @snippet public/create_test.cpp linspace
template <Element T>
[[nodiscard]] Array<T> linspace(double start, double stop, std::int64_t count, const LinspaceOptions& options = {}) {
    return Array<T>(detail::linspace(dtype_of<T>, start, stop, count, options.endpoint));
}

/// How logspace() ends, and of what its numbers are powers.
struct LogspaceOptions {
    bool endpoint = true;
    double base = 10;
};
/// `base` to the powers linspace(start, stop, count): from base^start to base^stop.
/// @snippet public/create_test.cpp linspace
template <Element T>
[[nodiscard]] Array<T> logspace(double start, double stop, std::int64_t count, const LogspaceOptions& options = {}) {
    return Array<T>(detail::logspace(dtype_of<T>, start, stop, count, options.endpoint, options.base));
}

/// Ones where column - row is `offset`, else zeros.
/// @snippet public/create_test.cpp eye
template <Element T>
[[nodiscard]] Array<T> eye(std::int64_t rows, std::int64_t columns, std::int64_t offset = 0) {
    return Array<T>(detail::eye(dtype_of<T>, rows, columns, offset));
}
/// @snippet public/create_test.cpp eye
template <Element T>
[[nodiscard]] Array<T> eye(std::int64_t rows) {
    return gpu::eye<T>(rows, rows, 0);
}
/// NumPy's other name of a square eye().
/// @snippet public/create_test.cpp eye
template <Element T>
[[nodiscard]] Array<T> identity(std::int64_t rows) {
    return gpu::eye<T>(rows);
}

/// A copy with zeros above the diagonal `offset` of the last two axes. @throws ShapeError below two axes
/// @snippet public/create_test.cpp triangles
template <detail::Lazy A>
[[nodiscard]] auto tril(const A& a, std::int64_t offset = 0) {
    return Array<detail::ElementOf<A>>(detail::triangle(detail::to_node(a), offset, true));
}
/// A copy with zeros below the diagonal `offset` of the last two axes. @throws ShapeError below two axes
/// @snippet public/create_test.cpp triangles
template <detail::Lazy A>
[[nodiscard]] auto triu(const A& a, std::int64_t offset = 0) {
    return Array<detail::ElementOf<A>>(detail::triangle(detail::to_node(a), offset, false));
}
/// Ones at and below the diagonal `offset`, else zeros.
/// @snippet public/create_test.cpp triangles
template <Element T>
[[nodiscard]] Array<T> tri(std::int64_t rows, std::int64_t columns, std::int64_t offset = 0) {
    return gpu::tril(gpu::ones<T>({rows, columns}), offset);
}

/// In which order meshgrid()'s axes stand: `ij` as a matrix has them, `xy` with the first two changed, for images.
enum class Indexing : std::uint8_t { xy, ij };

/// The coordinates of all points of a grid: `auto [gx, gy] = gpu::meshgrid(x, y)`. With `xy`, NumPy's default, both
/// have shape (len y, len x); with `ij`, (len x, len y). @throws ShapeError unless each input has at most one axis
/// @snippet public/create_test.cpp meshgrid
template <detail::HasCore A, detail::HasCore B>
    requires std::same_as<detail::ElementOf<A>, detail::ElementOf<B>>
[[nodiscard]] auto meshgrid(const A& x, const B& y, Indexing indexing = Indexing::xy) {
    auto made = detail::meshgrid({x.core(), y.core()}, indexing == Indexing::ij);
    using T = detail::ElementOf<A>;
    return std::array<Array<T>, 2>{Array<T>(std::move(made[0])), Array<T>(std::move(made[1]))};
}
template <detail::HasCore A, detail::HasCore B, detail::HasCore C>
    requires std::same_as<detail::ElementOf<A>, detail::ElementOf<B>> &&
             std::same_as<detail::ElementOf<A>, detail::ElementOf<C>>
[[nodiscard]] auto meshgrid(const A& x, const B& y, const C& z, Indexing indexing = Indexing::xy) {
    auto made = detail::meshgrid({x.core(), y.core(), z.core()}, indexing == Indexing::ij);
    using T = detail::ElementOf<A>;
    return std::array<Array<T>, 3>{Array<T>(std::move(made[0])), Array<T>(std::move(made[1])),
                                   Array<T>(std::move(made[2]))};
}
/// The same for any number of axes up to 8. @snippet public/create_test.cpp meshgrid
template <detail::HasCore A>
[[nodiscard]] auto meshgrid(const std::vector<A>& axes, Indexing indexing = Indexing::xy) {
    std::vector<detail::ArrayCore> cores;
    for (const A& axis : axes) cores.push_back(axis.core());
    std::vector<Array<detail::ElementOf<A>>> grids;
    for (auto& core : detail::meshgrid(cores, indexing == Indexing::ij)) grids.emplace_back(std::move(core));
    return grids;
}

}  // namespace gpu
