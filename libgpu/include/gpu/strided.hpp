// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <gpu/array.hpp>

namespace gpu {

/// An array of any strides for a raw kernel that asks for it: address, shape and strides, by value.
///
/// Kernel source that names `StridedView` gets the same type: `__global__ void half(StridedView<const float, 2> x)`
/// reads `x(i, j)` and has `x.shape[0]`, `x.strides[1]` (in elements) and `x.data`.
/// @snippet public/raw_kernel_test.cpp strided
template <class T, int Rank>
struct StridedView {
    T* data = nullptr;
    long long shape[Rank] = {}, strides[Rank] = {};
};

/// @cond internal
namespace detail {
GPU_API void* strided_data(const ArrayCore& core, int rank, bool written, long long* shape, long long* strides);

template <class T, int Rank, class A>
StridedView<T, Rank> make_strided(const A& array) {
    StridedView<T, Rank> view;
    view.data = static_cast<T*>(strided_data(array.window(), Rank, !std::is_const_v<T>, view.shape, view.strides));
    return view;
}
}  // namespace detail
/// @endcond

/// The array or window with its strides, for a raw kernel's `StridedView` parameter: `strided<2>(x.transpose())`.
/// @throws ShapeError if it has another rank; DeviceError if it isn't on the current device
/// @snippet public/raw_kernel_test.cpp strided
template <int Rank, Element T>
[[nodiscard]] StridedView<T, Rank> strided(Array<T>& array) {
    return detail::make_strided<T, Rank>(array);
}
template <int Rank, Element T>
[[nodiscard]] StridedView<const T, Rank> strided(const Array<T>& array) {
    return detail::make_strided<const T, Rank>(array);
}
template <int Rank, class T>
[[nodiscard]] StridedView<T, Rank> strided(const View<T>& view) {
    return detail::make_strided<T, Rank>(view);
}

}  // namespace gpu
