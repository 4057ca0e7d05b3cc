// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <gpu/array_core.hpp>
#include <gpu/dtype.hpp>
#include <gpu/indexable.hpp>
#include <gpu/transferable.hpp>
#include <gpu/windowed.hpp>

namespace gpu {

template <class T>
class View;
template <Element T>
class Expr;
class AnyArray;

/// A dense array on a device, with value semantics as in Eigen: copying copies the elements, moving is free.
///
/// Element types are those of DType; the rank (0 to 8) is known only at run time. Row-major, unless it came from Eigen
/// or was requested as column-major; a copy keeps the array's order, and arrays made from views and expressions are
/// row-major. A moved-from array can be assigned to and destroyed; shape(), strides(), rank(), size() and
/// is_contiguous() still describe what it was, and everything else throws an Error.
/// @snippet public/array_test.cpp copy
/// @snippet public/expression_test.cpp array_facts
/// @snippet public/expression_test.cpp copy_from
template <Element T>
class Array : public Windowed<Array<T>, T, const T>,
              public Indexable<Array<T>, T, const T>,
              public Transferable<Array<T>, T, const T> {
public:
    using value_type = T;

    /// An empty array of shape (0,).
    Array() : core_(detail::make_array(dtype_of<T>, Shape{0})) {}
    Array(const Array& other) : core_(detail::copy_of(other.core("copy"))) {}
    Array(Array&&) noexcept = default;
    Array(const View<T>& view);        // NOLINT(google-explicit-constructor): copies the elements
    Array(const View<const T>& view);  // NOLINT(google-explicit-constructor): copies the elements
    Array(const Expr<T>& value);       // NOLINT(google-explicit-constructor): one kernel
    /// From a kernel's result: takes over a new array, copies one that something else also holds.
    /// @throws DTypeError if its elements aren't T.
    Array(AnyArray any);  // NOLINT(google-explicit-constructor)
    template <Element U>
        requires(!std::is_same_v<T, U>)
    Array(const Array<U>&) {  // NOLINT(google-explicit-constructor)
        static_assert(std::is_same_v<T, U>, "the array has other elements than this one: write .astype<T>()");
    }
    template <Element U>
    Array(const Expr<U>&) {  // NOLINT(google-explicit-constructor)
        static_assert(std::is_same_v<T, U>, "the expression has other elements than the array: write .astype<T>()");
    }
    /// @cond internal
    // Rejected: it says neither what the elements are nor where they come from.
    explicit Array(const Shape&) {
        static_assert(sizeof(T) == 0,
                      "an Array isn't made from a shape alone: write gpu::zeros<float>({3, 3}), "
                      "gpu::empty<float>({3, 3}) or gpu::to_device(h)");
    }
    /// @endcond
    ~Array() = default;

    /// Copies the elements; the buffer is reused if shape and device agree.
    Array& operator=(const Array& other);
    Array& operator=(Array&&) noexcept = default;
    Array& operator=(const View<T>& view);
    Array& operator=(const View<const T>& view);
    /// Evaluates in one kernel; the buffer is reused if shape and device agree.
    Array& operator=(const Expr<T>& value);
    /// Sets all elements to this number, in one kernel; the shape stays, as for Eigen's arrays.
    /// @snippet public/array_test.cpp fill
    template <Arithmetic S>
        requires std::is_convertible_v<S, T>
    Array& operator=(S value);

    /// The first element's address on the device: kernels and libraries can dereference it, host code can't. The
    /// non-const form counts as a write.
    [[nodiscard]] const T* data() const { return static_cast<const T*>(detail::data_of(core("data"))); }
    [[nodiscard]] T* data() {
        detail::mark_written(core("data"));
        return static_cast<T*>(detail::data_of(core_));
    }

    /// The same elements in another shape, read in this order; one length may be -1: `reshape({2, -1})`.
    /// @throws ShapeError if the sizes differ, or if elements would have to be copied (as in
    /// `x.transpose().reshape(...)`)
    /// @snippet public/array_test.cpp reshape
    [[nodiscard]] View<T> reshape(const TargetShape& shape, Layout order = Layout::row_major) &;
    [[nodiscard]] View<const T> reshape(const TargetShape& shape, Layout order = Layout::row_major) const&;
    /// For a temporary array: its elements may be copied.
    [[nodiscard]] Array reshape(const TargetShape& shape, Layout order = Layout::row_major) &&;
    /// The same with separate lengths: `reshape(2, 3)`.
    template <std::integral... I>
        requires(sizeof...(I) > 1)
    [[nodiscard]] View<T> reshape(I... lengths) & {
        return reshape(TargetShape(lengths...));
    }
    template <std::integral... I>
        requires(sizeof...(I) > 1)
    [[nodiscard]] View<const T> reshape(I... lengths) const& {
        return reshape(TargetShape(lengths...));
    }
    template <std::integral... I>
        requires(sizeof...(I) > 1)
    [[nodiscard]] Array reshape(I... lengths) && {
        return std::move(*this).reshape(TargetShape(lengths...));
    }

    /// @cond internal
    explicit Array(detail::ArrayCore core) : core_(std::move(core)) {}
    // @throws Error if the array was moved from
    [[nodiscard]] const detail::ArrayCore& core(const char* operation = "gpu::Array") const {
        return detail::checked_core(core_, operation);
    }
    // After a move: the former window, without a buffer.
    [[nodiscard]] const detail::ArrayCore& window() const noexcept { return core_; }
    /// @endcond

private:
    detail::ArrayCore core_;
};

/// An array whose element type is known only at run time: what a kernel with type placeholders returns.
/// @snippet public/expression_test.cpp any_array
class GPU_API AnyArray {
public:
    template <Element T>
    AnyArray(Array<T> array) : core_(array.core()) {}  // NOLINT(google-explicit-constructor)

    [[nodiscard]] DType dtype() const noexcept { return core_.dtype; }
    [[nodiscard]] const Shape& shape() const noexcept { return core_.shape; }
    [[nodiscard]] Device device() const { return detail::device_of(core("device")); }

    /// @cond internal
    explicit AnyArray(detail::ArrayCore core) : core_(std::move(core)) {}
    [[nodiscard]] const detail::ArrayCore& core(const char* operation = "gpu::AnyArray") const& {
        return detail::checked_core(core_, operation);
    }
    [[nodiscard]] detail::ArrayCore core() && noexcept { return std::move(core_); }
    [[nodiscard]] const detail::ArrayCore& window() const noexcept { return core_; }
    /// @endcond

private:
    detail::ArrayCore core_;
};

}  // namespace gpu

#include <gpu/view.hpp>
