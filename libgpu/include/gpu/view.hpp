// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <gpu/array.hpp>

namespace gpu {

/// A strided window on an array: a slice, a transpose, a broadcast. It keeps the buffer alive and owns no elements.
///
/// Copying a view copies the window; assigning to one copies elements and never moves the window. So a view isn't a
/// place to keep elements, as in NumPy: `auto t = row; row = other; other = t;` leaves both with the elements of
/// `other`, and so do std::exchange and the algorithms that sort. `gpu::Array<float> t = row;` keeps them, and swap()
/// exchanges them. View<const T> is read-only.
/// @snippet public/array_test.cpp swap
template <class T>
class View : public Windowed<View<T>, T, T>, public Indexable<View<T>, T, T>, public Transferable<View<T>, T, T> {
public:
    using value_type = std::remove_const_t<T>;

    View(const View&) = default;
    template <class U>
        requires std::is_same_v<const U, T> && (!std::is_same_v<U, T>)
    View(const View<U>& other) : core_(other.core()) {}  // NOLINT(google-explicit-constructor)
    View(const Array<value_type>& array)                 // NOLINT(google-explicit-constructor)
        requires std::is_const_v<T>
        : core_(array.core("gpu::View")) {}
    View(Array<value_type>& array) : core_(array.core("gpu::View")) {}  // NOLINT(google-explicit-constructor)

    /// Copies elements, broadcasting as NumPy does. @throws ShapeError if they don't fit the window.
    View& operator=(const View& other) { return assign(other); }
    View& operator=(const View<const value_type>& other)
        requires(!std::is_const_v<T>)
    {
        return assign(other);
    }
    View& operator=(const Array<value_type>& other) { return assign(other); }
    View& operator=(const Expr<value_type>& value);
    View& operator=(value_type value);
    /// A number of another type, see Array. @throws DTypeError for a number out of an integer type's range
    template <Arithmetic S>
    View& operator=(S value);
    /// @cond internal
    template <detail::Lazy A>
        requires(!std::is_same_v<typename detail::OperandTraits<A>::element, value_type>)
    View& operator=(const A&) {
        static_assert(sizeof(A) == 0, "the values have other elements than the array: write .astype<T>()");
        return *this;
    }
    // Deleted, see Array. NOLINTBEGIN(google-explicit-constructor)
    // clang-format off
    operator value_type() const = delete;  // an array isn't a number or bool: write x(1).item(), (x(1) > 3).item()
    template <class V>
        requires detail::is_vector<V>
    operator V() const = delete;  // its elements are on the device: write gpu::to_host(x)
    template <class P>
        requires std::is_pointer_v<P>
    operator P() const = delete;  // the address of its elements, which kernels take: write x.data()
    // clang-format on
    // NOLINTEND(google-explicit-constructor)
    /// @endcond

    /// The elements as a new array, as copy(): for code that is written once for arrays, views and expressions.
    /// @snippet public/expression_test.cpp eval
    [[nodiscard]] Array<value_type> eval() const { return Array<value_type>(*this); }

    /// Exchanges the elements of two views, on the device. @throws ShapeError unless their shapes are equal
    /// @snippet public/array_test.cpp swap
    friend void swap(View& a, View& b) {
        static_assert(!std::is_const_v<T>, "a View<const T> only reads");
        detail::swap_elements(a.core_, b.core_);
    }
    /// The same for temporary views: `swap(x(0), x(1))`, `std::swap(row, x(1))`.
    friend void swap(const View& a, const View& b) {
        View first = a, second = b;
        swap(first, second);
    }

    /// The first element's address on the device; the others are `strides()` elements apart.
    [[nodiscard]] T* data() const noexcept {
        if constexpr (!std::is_const_v<T>) detail::mark_written(core_);
        return static_cast<T*>(detail::data_of(core_));
    }

    /// The same elements in another shape, read in this order; one length may be -1.
    /// @throws ShapeError if the sizes differ, or if elements would have to be copied (copy() first)
    [[nodiscard]] View reshape(const TargetShape& shape, Layout order = Layout::row_major) const {
        return View(detail::reshaped(core_, shape, order));
    }
    /// The same with separate lengths: `reshape(2, 3)`.
    template <std::integral... I>
        requires(sizeof...(I) > 1)
    [[nodiscard]] View reshape(I... lengths) const {
        return reshape(TargetShape(lengths...));
    }
    /// @cond internal
    explicit View(detail::ArrayCore core) : core_(std::move(core)) {}
    [[nodiscard]] const detail::ArrayCore& core(const char* = "") const noexcept { return core_; }
    [[nodiscard]] const detail::ArrayCore& window() const noexcept { return core_; }
    /// @endcond

private:
    template <class Source>
    View& assign(const Source& source) {
        static_assert(!std::is_const_v<T>, "a View<const T> only reads");
        detail::assign(core_, detail::leaf(source.core("assignment")), false);
        return *this;
    }

    detail::ArrayCore core_;
};

/// @cond internal
// Refused in words, as arrays of such elements.
template <class T>
    requires(!Element<std::remove_const_t<T>>)
class View<T> : public View<std::conditional_t<std::is_const_v<T>, const detail::Held<T>, detail::Held<T>>> {
    using Meant = View<std::conditional_t<std::is_const_v<T>, const detail::Held<T>, detail::Held<T>>>;
    static_assert(detail::check_element<std::remove_const_t<T>>());

public:
    using Meant::operator=;
    template <class... A>
    View(A&&... from) : Meant(static_cast<A&&>(from)...) {}  // NOLINT: as the view that was meant
};
/// @endcond

template <class T>
Array<T>::Array(const View<T>& view) : core_(detail::copy_of(view.core(), Layout::row_major)) {}
template <class T>
Array<T>::Array(const View<const T>& view) : core_(detail::copy_of(view.core(), Layout::row_major)) {}
template <class T>
Array<T>::Array(AnyArray any) : core_(detail::owned(std::move(any).core(), dtype_of<T>)) {}

template <class T>
Array<T>& Array<T>::operator=(const Array& other) & {
    if (this != &other) detail::assign(core_, detail::leaf(other.core("assignment")), true);
    return *this;
}
template <class T>
Array<T>& Array<T>::operator=(const View<T>& view) & {
    detail::assign(core_, detail::leaf(view.core()), true);
    return *this;
}
template <class T>
Array<T>& Array<T>::operator=(const View<const T>& view) & {
    detail::assign(core_, detail::leaf(view.core()), true);
    return *this;
}

template <class T>
View<T> Array<T>::reshape(const TargetShape& shape, Layout order) & {
    return View<T>(detail::reshaped(core("reshape"), shape, order));
}
template <class T>
View<const T> Array<T>::reshape(const TargetShape& shape, Layout order) const& {
    return View<const T>(detail::reshaped(core("reshape"), shape, order));
}
template <class T>
Array<T> Array<T>::reshape(const TargetShape& shape, Layout order) && {
    return Array(detail::reshaped_or_copied(core("reshape"), shape, order));  // the buffer has no other owner
}

}  // namespace gpu

/// @cond internal
namespace std {  // NOLINT(cert-dcl58-cpp): std::swap(row, other) finds this one; its own would lose elements
template <class T>
void swap(gpu::View<T>& a, gpu::View<T>& b) {
    swap(a, b);  // the friend
}
template <class T>
void swap(const gpu::View<T>& a, const gpu::View<T>& b) {
    swap(a, b);
}
// std::printf finds these.
using gpu::unprintable::fprintf;
using gpu::unprintable::printf;
using gpu::unprintable::snprintf;
}  // namespace std
/// @endcond

#include <gpu/expression.hpp>

namespace gpu {

/// An array of any strides for a raw kernel that takes one: address, shape and strides, by value.
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
