// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/ops.hpp>

/// @file
/// In-place operators such as `x += y`: one kernel, whatever overlaps. The element type stays, and the right side
/// broadcasts to the shape of the left one.

namespace gpu {

/// @cond internal
namespace detail {
template <class T, class R>
void update(const ArrayCore& core, const Expr<R>& value) {
    static_assert(std::is_same_v<T, R>,
                  "the result has other elements than the array, and an operator in place can't "
                  "change them: write x = (x + y).astype<T>(), or gpu::Array<R> z = x + y");
    ArrayCore target = core;
    assign(target, value.node(), false);
}
}  // namespace detail
/// @endcond

#define GPU_UPDATE(symbol)                                                \
    template <Element T, detail::OperandLike B>                           \
    Array<T>& operator symbol##=(Array<T>& a, const B& b) {               \
        detail::update<T>(a.core(#symbol "="), a symbol b);               \
        return a;                                                         \
    }                                                                     \
    template <class T, detail::OperandLike B>                             \
    View<T> operator symbol##=(View<T> a, const B& b) {                   \
        static_assert(!std::is_const_v<T>, "a View<const T> only reads"); \
        detail::update<T>(a.core(), a symbol b);                          \
        return a;                                                         \
    }
GPU_UPDATE(+)
GPU_UPDATE(-)
GPU_UPDATE(*)
GPU_UPDATE(/)
GPU_UPDATE(%)
GPU_UPDATE(&)
GPU_UPDATE(|)
GPU_UPDATE(^)
GPU_UPDATE(<<)
GPU_UPDATE(>>)
#undef GPU_UPDATE

}  // namespace gpu
