// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/array.hpp>

/// @file
/// New arrays of evenly spaced numbers, and the grids that they span.

namespace gpu {

/// @cond internal
namespace detail {
GPU_API ArrayCore arange(DType dtype, double start, double stop, double step);
GPU_API ArrayCore arange(DType dtype, std::int64_t start, std::int64_t stop, std::int64_t step);
GPU_API ArrayCore linspace(DType dtype, double start, double stop, std::int64_t count, bool endpoint);
GPU_API ArrayCore logspace(DType dtype, double start, double stop, std::int64_t count, bool endpoint, double base);
GPU_API std::vector<ArrayCore> meshgrid(const std::vector<ArrayCore>& axes, bool first_is_row);
}  // namespace detail
/// @endcond

/// start, start + step, ... up to but not including `stop`; made on the device. Integers from integer arguments are
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
    bool endpoint = true;  ///< `stop` is the last element; otherwise it is left out
};
/// `count` numbers from `start` to `stop`, evenly spaced; computed in double on the device, then converted.
/// @throws ShapeError if `count` is negative
/// @snippet public/create_test.cpp linspace
template <Element T>
[[nodiscard]] Array<T> linspace(double start, double stop, std::int64_t count, const LinspaceOptions& options = {}) {
    return Array<T>(detail::linspace(dtype_of<T>, start, stop, count, options.endpoint));
}

/// How logspace() ends, and the base of its powers.
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

/// The order of meshgrid()'s axes: `ij` as a matrix has them, `xy` with the first two changed, for images.
enum class Indexing : std::uint8_t { xy, ij };

/// The coordinates of all points of a grid: `auto [gx, gy] = gpu::meshgrid(x, y)`. With `xy`, NumPy's default, both
/// have shape (len y, len x); with `ij`, (len x, len y). @throws ShapeError unless each input has at most one axis
/// @snippet public/create_test.cpp meshgrid
template <detail::HasCore A, detail::HasCore B>
    requires std::same_as<detail::LazyElement<A>, detail::LazyElement<B>>
[[nodiscard]] auto meshgrid(const A& x, const B& y, Indexing indexing = Indexing::xy) {
    auto made = detail::meshgrid({x.core("meshgrid"), y.core("meshgrid")}, indexing == Indexing::ij);
    using T = detail::LazyElement<A>;
    return std::array<Array<T>, 2>{Array<T>(std::move(made[0])), Array<T>(std::move(made[1]))};
}
template <detail::HasCore A, detail::HasCore B, detail::HasCore C>
    requires std::same_as<detail::LazyElement<A>, detail::LazyElement<B>> &&
             std::same_as<detail::LazyElement<A>, detail::LazyElement<C>>
[[nodiscard]] auto meshgrid(const A& x, const B& y, const C& z, Indexing indexing = Indexing::xy) {
    auto made =
        detail::meshgrid({x.core("meshgrid"), y.core("meshgrid"), z.core("meshgrid")}, indexing == Indexing::ij);
    using T = detail::LazyElement<A>;
    return std::array<Array<T>, 3>{Array<T>(std::move(made[0])), Array<T>(std::move(made[1])),
                                   Array<T>(std::move(made[2]))};
}
/// The same for any number of axes up to 8. @snippet public/create_test.cpp meshgrid
template <detail::HasCore A>
[[nodiscard]] auto meshgrid(const std::vector<A>& axes, Indexing indexing = Indexing::xy) {
    std::vector<detail::ArrayCore> cores;
    for (const A& axis : axes) cores.push_back(axis.core("meshgrid"));
    std::vector<Array<detail::LazyElement<A>>> grids;
    for (auto& core : detail::meshgrid(cores, indexing == Indexing::ij)) grids.emplace_back(std::move(core));
    return grids;
}

}  // namespace gpu
