// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/array.hpp>
#include <gpu/device.hpp>
#include <gpu/memory.hpp>
#include <gpu/stream.hpp>
#include <gpu/view.hpp>

namespace gpu {

/// @cond internal
namespace detail {
GPU_API ArrayCore to_device(DType dtype, const Shape& shape, const void* from, std::size_t count, Layout layout);
/// @throws ShapeError if the rows of a nested list differ in length
GPU_API void check_row(std::size_t first, std::size_t other);
template <class T>
struct Cell {  // of a list's elements in memory: std::vector<bool> has none
    T value;
};
/// A list of numbers of more than one type, which std::initializer_list doesn't accept.
struct MixedList {
    template <Arithmetic... N>
        requires(sizeof...(N) > 1)
    MixedList(N...) {  // NOLINT(google-explicit-constructor): from braces alone
        static_assert(sizeof...(N) == 0,
                      "the numbers of a list have one type: write gpu::to_device<float>({...}), or the same kind of "
                      "number throughout");
    }
};
struct MixedRow {
    template <Arithmetic... N>
        requires(sizeof...(N) > 1)
    MixedRow(N...) {}  // NOLINT(google-explicit-constructor): from braces alone
};
template <class T>
void append_row(std::vector<Cell<T>>& to, std::initializer_list<T> row, std::size_t length) {
    check_row(length, row.size());
    for (const T& value : row) to.push_back({value});
}
}  // namespace detail
/// @endcond

/// Copies host memory to a new 1-D array on the current device; returns when the host memory may be reused. Accepts
/// std::vector, std::array, std::span and C arrays; `std::complex` and `long long` become libgpu's types.
/// @snippet public/array_test.cpp to_device
template <detail::HostMemory C>
[[nodiscard]] Array<detail::HostElement<const C>> to_device(const C& host) {
    using T = detail::HostElement<const C>;
    return Array<T>(
        detail::to_device(dtype_of<T>, Shape{std::size(host)}, std::data(host), std::size(host), Layout::row_major));
}
/// The same with a shape: the elements in row-major order, or in the given layout, which becomes the array's.
/// @throws ShapeError if there are more or fewer elements
/// @snippet public/memory_test.cpp shape
template <detail::HostMemory C>
[[nodiscard]] Array<detail::HostElement<const C>> to_device(const Shape& shape, const C& host,
                                                            Layout layout = Layout::row_major) {
    using T = detail::HostElement<const C>;
    return Array<T>(detail::to_device(dtype_of<T>, shape, std::data(host), std::size(host), layout));
}
template <Element T>
[[nodiscard]] Array<T> to_device(const Shape& shape, std::initializer_list<T> host, Layout layout = Layout::row_major) {
    return Array<T>(detail::to_device(dtype_of<T>, shape, host.begin(), host.size(), layout));
}
/// From a list; from nested lists, an array of two or three axes. @throws ShapeError if rows differ in length
/// @snippet public/memory_test.cpp lists
template <Element T>
[[nodiscard]] Array<T> to_device(std::initializer_list<T> host) {
    return gpu::to_device<T>(Shape{host.size()}, host);
}
template <Element T>
[[nodiscard]] Array<T> to_device(std::initializer_list<std::initializer_list<T>> rows) {
    const std::size_t length = rows.size() == 0 ? 0 : rows.begin()->size();
    std::vector<detail::Cell<T>> cells;
    for (const auto& row : rows) detail::append_row(cells, row, length);
    return Array<T>(
        detail::to_device(dtype_of<T>, Shape{rows.size(), length}, cells.data(), cells.size(), Layout::row_major));
}
template <Element T>
[[nodiscard]] Array<T> to_device(std::initializer_list<std::initializer_list<std::initializer_list<T>>> blocks) {
    if (blocks.size() == 0) return gpu::to_device<T>(Shape{0}, {});  // `{}`, which is a list of any depth
    const std::size_t rows = blocks.begin()->size();
    const std::size_t length = rows == 0 ? 0 : blocks.begin()->begin()->size();
    std::vector<detail::Cell<T>> cells;
    for (const auto& block : blocks) {
        detail::check_row(rows, block.size());
        for (const auto& row : block) detail::append_row(cells, row, length);
    }
    return Array<T>(detail::to_device(dtype_of<T>, Shape{blocks.size(), rows, length}, cells.data(), cells.size(),
                                      Layout::row_major));
}
/// The packed bits of a std::vector<bool> as an array of bool.
/// @snippet public/memory_test.cpp bits
template <std::same_as<bool> T>  // a template, so that a list of numbers isn't taken for a vector of bools
[[nodiscard]] Array<bool> to_device(const std::vector<T>& host) {
    const std::vector<unsigned char> bytes(host.begin(), host.end());
    return Array<bool>(
        detail::to_device(DType::boolean, Shape{bytes.size()}, bytes.data(), bytes.size(), Layout::row_major));
}
/// @cond internal
inline Array<float> to_device(detail::MixedList) { return {}; }
inline Array<float> to_device(const Shape&, detail::MixedList, Layout = Layout::row_major) { return {}; }
// clang-format off
// The numbers of a list have one type: write gpu::to_device<float>({{...}, {...}}).
Array<float> to_device(std::initializer_list<detail::MixedRow>) = delete;  // write gpu::to_device<float>({{...}, ...})
// clang-format on
/// @endcond
template <Element T>
[[nodiscard]] Array<T> to_device(const Pinned<T>& host) {
    return gpu::to_device(std::span<const T>(host));
}

/// An array that is being copied to the device, see to_device_async().
template <Element T>
struct PendingArray {
    Array<T> array;
    Event done;  ///< reached when the host memory may change again
};

/// Starts copying host memory to a new 1-D array and returns at once: `auto [array, done] = to_device_async(host);`.
/// The array can be used at once in the current stream. Until `done` is reached, don't change or free the host memory.
/// @snippet public/stream_test.cpp to_device_async
template <Element T>
[[nodiscard]] PendingArray<T> to_device_async(std::span<const T> host) {
    Array<T> array(detail::make_array(dtype_of<T>, Shape{host.size()}));
    Event done = array.copy_from_async(host);
    return {std::move(array), std::move(done)};
}
template <Element T>
[[nodiscard]] PendingArray<T> to_device_async(const Pinned<T>& host) {
    return gpu::to_device_async(std::span<const T>(host));
}

/// Elements that are being copied to the host, see to_host_async().
template <Element T>
struct PendingPinned {
    Pinned<T> host;
    Event done;  ///< reached when they have arrived
};

/// Starts copying an array to new page-locked memory, row-major, and returns at once:
/// `auto [host, done] = to_host_async(x); ...; done.synchronize();` and then read `host`.
/// @snippet public/stream_test.cpp to_host_async
template <Element T>
[[nodiscard]] PendingPinned<T> to_host_async(const Array<T>& array) {
    auto host = Pinned<T>::uninitialized(static_cast<std::size_t>(array.size()));
    Event done = array.copy_to_async(host);
    return {std::move(host), std::move(done)};
}

/// @cond internal
namespace detail {
/// Host memory that isn't there yet. `make` makes it, of so many elements: copies of those at `from`, or others if that
/// is null; it returns their address.
struct NewHostMemory {
    void* host;
    void* (*make)(void* host, const void* from, std::int64_t count);
};
GPU_API void copy_to_new(const ArrayCore& source, const NewHostMemory& host);
}  // namespace detail
/// @endcond

/// Copies an array to the host, row-major; waits until the data is there. `bool` comes as `std::uint8_t`.
/// @snippet public/array_test.cpp to_device
template <detail::ArrayLike A>
[[nodiscard]] auto to_host(const A& array) {
    using T = detail::LazyElement<A>;
    if constexpr (requires { array.core(); }) {
        using H = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
        std::vector<H> host;
        detail::copy_to_new(array.core("to_host"), {&host, [](void* to, const void* from, std::int64_t count) -> void* {
            auto& made = *static_cast<std::vector<H>*>(to);
            const auto* const first = static_cast<const H*>(from);
            if (first == nullptr) made.resize(static_cast<std::size_t>(count));
            else made.assign(first, first + count);  // without setting it to 0 before
            return made.data();
        }});
        return host;
    } else {
        return gpu::to_host(array.eval());
    }
}
/// The same of an AnyArray with elements of this type: `to_host<float>(any)`. @throws DTypeError if they aren't
/// @snippet public/exchange/any_array_test.cpp any_array
template <Arithmetic T>
[[nodiscard]] auto to_host(const AnyArray& array) {
    return array.to_host<T>();
}

/// How foreign memory is seen: `wrap(pointer, {rows, columns}, {.strides = {pitch, 1}})`.
struct WrapOptions {
    Strides strides = {};               ///< in elements, one an axis; none: dense
    Layout layout = Layout::row_major;  ///< of dense elements
    /// Kept until the last view is gone and the work on it is done; its deleter may free the memory.
    std::shared_ptr<void> owner = {};
};

/// @cond internal
namespace detail {
GPU_API ArrayCore wrapped(const void* first, DType dtype, const Shape& shape, const WrapOptions& options,
                          Device device);
}  // namespace detail
/// @endcond

/// A view on device memory that something else allocated; nothing is copied. `first` is the address of the element
/// with all indices 0. The memory must stay until all work on it is done: give its owner, or wait yourself.
///
/// On a GPU the pointer must be to its memory (cudaMalloc); on the host backend any memory will do. Other writes to the
/// memory aren't noticed: an expression of it may be evaluated with newer elements than those it was built with.
/// gpu::check() knows only libgpu's own arrays: it reports a raw kernel's accesses to foreign memory as out of bounds.
/// @throws ShapeError if there isn't a stride for each axis; DeviceError for a null pointer
/// @snippet public/eigen_test.cpp wrap
template <class T>
    requires Element<std::remove_const_t<T>>
[[nodiscard]] View<T> wrap(T* first, const Shape& shape, const WrapOptions& options = {},
                           Device device = Device::current()) {
    return View<T>(detail::wrapped(first, dtype_of<std::remove_const_t<T>>, shape, options, device));
}

}  // namespace gpu
