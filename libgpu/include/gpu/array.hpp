// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/array_core.hpp>
#include <gpu/dtype.hpp>
#include <gpu/slice.hpp>

namespace gpu {

template <class T>
class View;
template <Element T>
class Expr;
class AnyArray;

/// A dense array on a device, with value semantics as in Eigen: copying copies the elements, moving is free.
///
/// Element types are those of DType; the rank (0 to 8) is known at run time only. Row-major, unless it came from Eigen.
/// @snippet public/array_test.cpp copy
template <Element T>
class Array {
public:
    using value_type = T;

    /// An empty array of shape (0,).
    Array() : core_(detail::make_array(dtype_of<T>, Shape{0})) {}
    Array(const Array& other) : core_(detail::copy_of(other.core_)) {}
    Array(Array&&) noexcept = default;
    Array(const View<T>& view);        // NOLINT(google-explicit-constructor): copies the elements
    Array(const View<const T>& view);  // NOLINT(google-explicit-constructor): copies the elements
    Array(const Expr<T>& value);       // NOLINT(google-explicit-constructor): one kernel
    /// From a kernel's result. @throws DTypeError if its elements aren't T.
    Array(const AnyArray& any);        // NOLINT(google-explicit-constructor)
    template <Element U>
    Array(const Expr<U>&) {  // NOLINT(google-explicit-constructor)
        static_assert(std::is_same_v<T, U>, "the expression has other elements than the array: write .astype<T>()");
    }
    ~Array() = default;

    /// Copies the elements; the buffer is used again if shape and device agree.
    Array& operator=(const Array& other);
    Array& operator=(Array&&) noexcept = default;
    Array& operator=(const View<T>& view);
    Array& operator=(const View<const T>& view);
    /// Evaluates in one kernel; the buffer is used again if shape and device agree.
    Array& operator=(const Expr<T>& value);

    [[nodiscard]] const Shape& shape() const noexcept { return core_.shape; }
    [[nodiscard]] const Strides& strides() const noexcept { return core_.strides; }
    [[nodiscard]] int rank() const noexcept { return core_.shape.rank(); }
    [[nodiscard]] std::int64_t size() const { return core_.shape.size(); }
    [[nodiscard]] Device device() const { return detail::device_of(core_); }

    /// The first element's address on the device. The non-const form counts as a write.
    [[nodiscard]] const T* data() const noexcept { return static_cast<const T*>(detail::data_of(core_)); }
    [[nodiscard]] T* data() noexcept {
        detail::mark_written(core_);
        return static_cast<T*>(detail::data_of(core_));
    }

    /// A window that keeps the buffer alive: `a(1, gpu::all)`, `a(gpu::all, gpu::slice(0, 5, 2))`.
    /// @throws IndexError
    /// @snippet public/array_test.cpp view
    template <class... I>
    [[nodiscard]] View<T> operator()(I... indices);
    template <class... I>
    [[nodiscard]] View<const T> operator()(I... indices) const;
    /// All axes in reverse order, without moving an element.
    [[nodiscard]] View<T> transpose();
    [[nodiscard]] View<const T> transpose() const;
    /// The same elements in another shape. @throws ShapeError if the sizes differ.
    [[nodiscard]] View<T> reshape(const Shape& shape) &;
    [[nodiscard]] View<const T> reshape(const Shape& shape) const&;
    [[nodiscard]] Array reshape(const Shape& shape) &&;
    /// The array in a larger shape by NumPy's broadcasting, without copying.
    [[nodiscard]] View<const T> broadcast_to(const Shape& shape) const;

    /// Copies the elements from the host, row-major; waits. @throws ShapeError if the sizes differ.
    void copy_from(std::span<const T> host) { detail::copy_from_host(core_, host.data(), std::ssize(host)); }
    /// Copies the elements to the host, row-major; waits. @throws ShapeError if the sizes differ.
    void copy_to(std::span<T> host) const { detail::copy_to_host(core_, host.data(), std::ssize(host)); }
    /// The only element of an array of size 1; waits for it. @throws ShapeError if there isn't exactly one.
    [[nodiscard]] T item() const;
    /// The elements converted as C++ does.
    template <Element U>
    [[nodiscard]] Array<U> astype() const;
    /// A copy on another device. @throws DeviceError
    /// @snippet public/device_test.cpp to
    [[nodiscard]] Array to(Device device) const { return Array(detail::copy_to_device(core_, device)); }

    /// @cond internal
    explicit Array(detail::ArrayCore core) : core_(std::move(core)) {}
    [[nodiscard]] const detail::ArrayCore& core() const noexcept { return core_; }
    /// @endcond

private:
    detail::ArrayCore core_;
};

/// An array whose element type is known at run time only: what a kernel with type placeholders gives back.
class GPU_API AnyArray {
public:
    template <Element T>
    AnyArray(Array<T> array) : core_(array.core()) {}  // NOLINT(google-explicit-constructor)

    [[nodiscard]] DType dtype() const noexcept { return core_.dtype; }
    [[nodiscard]] const Shape& shape() const noexcept { return core_.shape; }
    [[nodiscard]] Device device() const { return detail::device_of(core_); }

    /// @cond internal
    explicit AnyArray(detail::ArrayCore core) : core_(std::move(core)) {}
    [[nodiscard]] const detail::ArrayCore& core() const noexcept { return core_; }
    /// @endcond

private:
    detail::ArrayCore core_;
};

}  // namespace gpu

#include <gpu/view.hpp>
