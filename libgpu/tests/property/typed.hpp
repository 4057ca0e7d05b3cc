// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <utility>

#include <gpu/gpu.hpp>

#include "property/reference.hpp"

namespace property {

/// Stands for a type in a call.
template <class T>
struct Type {
    using type = T;
};

/// Calls f(Type<T>{}) with the C++ type of the dtype.
template <class F>
auto with_type(gpu::DType dtype, F f) {
    using Result = decltype(f(Type<float>{}));
    return [&]<int... k>(std::integer_sequence<int, k...>) -> Result {
        if constexpr (std::is_void_v<Result>) {
            (void)((static_cast<int>(dtype) == k &&
                    (f(Type<typename gpu::detail::CppType<static_cast<gpu::DType>(k)>::type>{}), true)) ||
                   ...);
        } else {
            Result result{};
            (void)((static_cast<int>(dtype) == k &&
                    (result = f(Type<typename gpu::detail::CppType<static_cast<gpu::DType>(k)>::type>{}), true)) ||
                   ...);
            return result;
        }
    }(std::make_integer_sequence<int, dtype_count>{});
}

/// How a C++ type holds an element.
template <class T>
struct Stored {
    static T from(const Element& x) {
        if constexpr (std::is_same_v<T, bool>) {
            return x.re != 0;
        } else if constexpr (gpu::is_complex(gpu::dtype_of<T>)) {
            using Part = typename T::value_type;
            return T(static_cast<Part>(x.re), static_cast<Part>(x.im));
        } else {
            return static_cast<T>(x.re);
        }
    }
    static Element to(const T& x) {
        if constexpr (gpu::is_complex(gpu::dtype_of<T>))
            return {x.real(), x.imag(), 0};
        else
            return {static_cast<Real>(x), 0, 0};
    }
};

}  // namespace property
