// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <gpu/array.hpp>

namespace gpu {

/// @cond internal
namespace detail {
GPU_API ArrayCore full(DType dtype, const Shape& shape, const NodePointer& value, Layout layout = Layout::row_major);
GPU_API ArrayCore full_like(const ArrayCore& model, DType dtype, const NodePointer& value);
GPU_API ArrayCore empty_like(const ArrayCore& model, DType dtype);
// The element type of a copy of `model`: its own, unless another one is named.
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
}  // namespace detail
/// @endcond

/// A new array on the current device, with uninitialised elements.
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
/// A new array of zeros on the current device.
/// @snippet public/create_test.cpp full
template <Element T>
[[nodiscard]] Array<T> zeros(const Shape& shape, Layout layout = Layout::row_major) {
    return gpu::full<T>(shape, T(0), layout);
}
/// A new array of ones on the current device.
/// @snippet public/create_test.cpp full
template <Element T>
[[nodiscard]] Array<T> ones(const Shape& shape, Layout layout = Layout::row_major) {
    return gpu::full<T>(shape, T(1), layout);
}

/// @cond internal
#define GPU_SHAPE_IN_BRACES(function)                                                                      \
    template <Element T, std::integral... I>                                                               \
        requires(sizeof...(I) > 1)                                                                         \
    Array<T> function(I...) {                                                                              \
        static_assert(sizeof...(I) == 0, "a shape stands in braces: write gpu::" #function "<T>({2, 3})"); \
        return {};                                                                                         \
    }
GPU_SHAPE_IN_BRACES(empty)
GPU_SHAPE_IN_BRACES(zeros)
GPU_SHAPE_IN_BRACES(ones)
#undef GPU_SHAPE_IN_BRACES
/// @endcond

/// A new array like an array or a view: its shape, layout, device and (unless T says otherwise) element type. Its
/// elements are uninitialised.
/// @snippet public/create_test.cpp like
template <class T = void, detail::HasCore A>
[[nodiscard]] Array<detail::Like<T, A>> empty_like(const A& model) {
    return Array<detail::Like<T, A>>(detail::empty_like(model.core("empty_like"), dtype_of<detail::Like<T, A>>));
}
/// Like empty_like(), filled with one value.
/// @snippet public/create_test.cpp like
template <class T = void, detail::HasCore A>
[[nodiscard]] Array<detail::Like<T, A>> full_like(const A& model, std::type_identity_t<detail::Like<T, A>> value) {
    using E = detail::Like<T, A>;
    return Array<E>(detail::full_like(model.core("full_like"), dtype_of<E>, detail::to_node(value)));
}
/// Like empty_like(), filled with zeros.
/// @snippet public/create_test.cpp like
template <class T = void, detail::HasCore A>
[[nodiscard]] Array<detail::Like<T, A>> zeros_like(const A& model) {
    return gpu::full_like<T>(model, detail::Like<T, A>(0));
}
/// Like empty_like(), filled with ones.
/// @snippet public/create_test.cpp like
template <class T = void, detail::HasCore A>
[[nodiscard]] Array<detail::Like<T, A>> ones_like(const A& model) {
    return gpu::full_like<T>(model, detail::Like<T, A>(1));
}

}  // namespace gpu
