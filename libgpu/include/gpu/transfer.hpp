// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <vector>

#include <gpu/array.hpp>

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
