// SPDX-License-Identifier: MIT
#pragma once

#include <iterator>
#include <type_traits>
#include <utility>

#include <gpu/dtype.hpp>

/// @cond internal
// What counts as host memory: std::vector, std::array, std::span, C arrays; not Eigen (see gpu/eigen.hpp), nor arrays.
namespace gpu::detail {

template <class C>
using HostValue = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<C&>()))>>;

template <class C>
concept HostMemory = requires(C& c) {
    std::size(c);
    requires Arithmetic<HostValue<C>>;
    requires !requires { c.core(); };
    requires !requires { c.rows(); };
};

template <HostMemory C>
using HostElement = ArrayElement<HostValue<C>>;

/// Host memory whose elements are, or become, T.
template <class C, class T>
concept HostMemoryOf = HostMemory<C> && std::is_same_v<HostElement<C>, T>;

/// Eigen's objects, without its headers: copy_in() and copy_out() are in gpu/eigen.hpp.
template <class H>
concept HostMatrix = requires(const H& h) {
    h.rows();
    h.derived();
};

}  // namespace gpu::detail
/// @endcond
