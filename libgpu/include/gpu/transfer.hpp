// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/array.hpp>
#include <gpu/event.hpp>
#include <gpu/pinned.hpp>

namespace gpu {

/// Copies host memory to a new 1-D array on the current device; returns when the host memory may be used again.
///
/// Elements of `std::complex` come as `gpu::complex`, which has the same layout.
/// @snippet public/array_test.cpp to_device
template <Arithmetic T>
[[nodiscard]] Array<ArrayElement<T>> to_device(std::span<const T> host) {
    Array<ArrayElement<T>> array(detail::make_array(dtype_of<T>, Shape{host.size()}));
    detail::copy_from_host(array.core(), host.data(), std::ssize(host));
    return array;
}
template <Arithmetic T>
    requires(!std::is_same_v<T, bool>)
[[nodiscard]] Array<ArrayElement<T>> to_device(const std::vector<T>& host) {
    return gpu::to_device(std::span<const T>(host));
}
template <Arithmetic T>
[[nodiscard]] Array<ArrayElement<T>> to_device(std::initializer_list<T> host) {
    return gpu::to_device(std::span<const T>(host.begin(), host.size()));
}
template <Element T>
[[nodiscard]] Array<T> to_device(const Pinned<T>& host) {
    return gpu::to_device(std::span<const T>(host));
}

/// An array that is on its way to the device, see to_device_async().
template <Element T>
struct ArrayOnItsWay {
    Array<T> array;
    Event done;  ///< reached when the host memory may change again
};

/// Starts copying host memory to a new 1-D array and returns at once: `auto [array, done] = to_device_async(host);`. The
/// array can be used at once in the current stream. Until `done` is reached the host memory must neither change nor go.
/// @snippet public/async_test.cpp to_device_async
template <Element T>
[[nodiscard]] ArrayOnItsWay<T> to_device_async(std::span<const T> host) {
    Array<T> array(detail::make_array(dtype_of<T>, Shape{host.size()}));
    Event done = array.copy_from_async(host);
    return {std::move(array), std::move(done)};
}
template <Element T>
[[nodiscard]] ArrayOnItsWay<T> to_device_async(const Pinned<T>& host) {
    return gpu::to_device_async(std::span<const T>(host));
}

/// Elements that are on their way to the host, see to_host_async().
template <Element T>
struct PinnedOnItsWay {
    Pinned<T> host;
    Event done;  ///< reached when they have come
};

/// Starts copying an array to new page-locked memory, row-major, and returns at once:
/// `auto [host, done] = to_host_async(x); ...; done.synchronize();` and then read `host`.
/// @snippet public/async_test.cpp to_host_async
template <Element T>
[[nodiscard]] PinnedOnItsWay<T> to_host_async(const Array<T>& array) {
    auto host = Pinned<T>::uninitialized(static_cast<std::size_t>(array.size()));
    Event done = array.copy_to_async(host);
    return {std::move(host), std::move(done)};
}

/// Copies an array to the host, row-major; waits until the data is there. `bool` comes as `std::uint8_t`.
/// @snippet public/array_test.cpp to_device
template <Element T>
[[nodiscard]] auto to_host(const Array<T>& array) {
    std::vector<std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>> host(
        static_cast<std::size_t>(array.size()));
    detail::copy_to_host(array.core(), host.data(), array.size());
    return host;
}
template <class T>
[[nodiscard]] auto to_host(const View<T>& view) {
    using U = std::remove_const_t<T>;
    std::vector<std::conditional_t<std::is_same_v<U, bool>, std::uint8_t, U>> host(
        static_cast<std::size_t>(view.size()));
    detail::copy_to_host(view.core(), host.data(), view.size());
    return host;
}

}  // namespace gpu
