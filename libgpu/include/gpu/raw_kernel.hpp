// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include <gpu/array.hpp>
#include <gpu/launch.hpp>
#include <gpu/source.hpp>

namespace gpu {

/// @cond internal
namespace detail {

// A kernel parameter's spelling in the signature that the kernel compiler checks.
template <class P>
std::string parameter_spelling() {
    if constexpr (std::is_pointer_v<P>) {
        using T = std::remove_pointer_t<P>;
        const std::string element(kernel_name(dtype_of<std::remove_const_t<T>>));
        return (std::is_const_v<T> ? "const " : "") + element + "*";
    } else {
        return std::string(kernel_name(dtype_of<P>));
    }
}

// Exact type, or a wider one of the same kind: an int fits a long long, a double doesn't fit a float.
template <class P, class A>
concept FitsScalar =
    Arithmetic<P> && Arithmetic<A> &&
    (dtype_of<P> == dtype_of<A> ||
     (is_floating(dtype_of<P>) == is_floating(dtype_of<A>) && is_complex(dtype_of<P>) == is_complex(dtype_of<A>) &&
      sizeof(P) > sizeof(A) && (std::is_signed_v<P> == std::is_signed_v<A> || std::is_unsigned_v<A>)));

GPU_API void* dense_data(const ArrayCore& core, int parameter, bool written);

// Turns a call's argument into the kernel's parameter, or says at compile time what to write.
template <class P, class A>
P to_parameter(A&& argument, int position) {
    using Plain = std::remove_cvref_t<A>;
    if constexpr (std::is_pointer_v<P> && requires { argument.core(); }) {
        using T = std::remove_pointer_t<P>;
        static_assert(dtype_of<std::remove_const_t<T>> == dtype_of<typename Plain::value_type>,
                      "the array's elements aren't what the kernel's parameter points to");
        constexpr bool reads_only = std::is_const_v<std::remove_reference_t<A>> && requires(Plain p) {
            requires !std::is_same_v<Plain, View<typename Plain::value_type>>;
        };
        static_assert(std::is_const_v<T> || !reads_only,
                      "the kernel writes through this parameter: the array is const");
        return static_cast<P>(dense_data(argument.core(), position, !std::is_const_v<T>));
    } else if constexpr (std::is_pointer_v<P>) {
        static_assert(std::is_convertible_v<A, P>, "pass an Array, a View or a device pointer of the right type");
        return argument;
    } else {
        static_assert(FitsScalar<P, Plain>,
                      "a number must have the parameter's type or a narrower one: write float(x), int(n), ...");
        return static_cast<P>(argument);
    }
}

class RawKernelCore;

}  // namespace detail
/// @endcond

template <class Signature>
class RawKernel;

/// A kernel in CUDA C++, with the signature that it must have; compiled at its first launch.
///
/// `RawKernel<void(const float*, float*, int)> scale(gpu::file("scale.cu"), "scale");`
/// `scale({.grid = blocks, .block = 256}, x, y, n);`
/// @snippet public/kernel_test.cpp raw_kernel
template <class... P>
class RawKernel<void(P...)> {
public:
    RawKernel(const Source& source, const std::string& name);

    /// Launches the kernel and returns at once. An array passes its address; one that the kernel may write counts as
    /// written. Numbers must have the parameter's type or a narrower one.
    /// @throws LaunchError for a launch that the device can't do; CompileError at the first launch
    template <class... A>
    void operator()(const LaunchConfig& config, A&&... arguments) const {
        static_assert(sizeof...(A) == sizeof...(P), "the kernel takes another number of arguments");
        launch(config, std::make_integer_sequence<int, sizeof...(P)>{}, std::forward<A>(arguments)...);
    }

private:
    template <int... position, class... A>
    void launch(const LaunchConfig& config, std::integer_sequence<int, position...>, A&&... arguments) const;

    std::shared_ptr<detail::RawKernelCore> core_;
};

/// @cond internal
namespace detail {
GPU_API std::shared_ptr<RawKernelCore> make_raw_kernel(const Source& source, const std::string& name,
                                                       const std::string& signature);
GPU_API void launch_raw_kernel(RawKernelCore& kernel, const LaunchConfig& config, void* const* arguments, int count);
}  // namespace detail
/// @endcond

template <class... P>
RawKernel<void(P...)>::RawKernel(const Source& source, const std::string& name) {
    std::string signature = "(";
    ((signature += (signature.size() > 1 ? ", " : "") + detail::parameter_spelling<P>()), ...);
    core_ = detail::make_raw_kernel(source, name, signature + ")");
}

template <class... P>
template <int... position, class... A>
void RawKernel<void(P...)>::launch(const LaunchConfig& config, std::integer_sequence<int, position...>,
                                   A&&... arguments) const {
    const auto call = [&](P... values) {
        void* const pointers[] = {const_cast<void*>(static_cast<const volatile void*>(&values))..., nullptr};
        detail::launch_raw_kernel(*core_, config, pointers, sizeof...(P));
    };
    call(detail::to_parameter<P>(std::forward<A>(arguments), position + 1)...);
}

}  // namespace gpu
