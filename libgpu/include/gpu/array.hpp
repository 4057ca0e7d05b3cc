// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/array_core.hpp>
#include <gpu/dtype.hpp>
#include <gpu/host_memory.hpp>
#include <gpu/indexable.hpp>
#include <gpu/slice.hpp>
#include <gpu/windowed.hpp>

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
/// @snippet public/facts_test.cpp array_facts
/// @snippet public/facts_test.cpp copy_from
template <Element T>
class Array : public Windowed<Array<T>, T, const T>, public Indexable<Array<T>, T, const T> {
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

    /// The same elements in another shape, read in this order; one length may be -1: `reshape({2, -1})`.
    /// @throws ShapeError if the sizes differ, or if elements would have to move (as in `x.transpose().reshape(...)`)
    /// @snippet public/view_test.cpp reshape
    [[nodiscard]] View<T> reshape(const TargetShape& shape, Layout order = Layout::row_major) &;
    [[nodiscard]] View<const T> reshape(const TargetShape& shape, Layout order = Layout::row_major) const&;
    /// Of an array that isn't used any more: its elements may move.
    [[nodiscard]] Array reshape(const TargetShape& shape, Layout order = Layout::row_major) &&;
    /// A copy with one axis, read in this order.
    /// @snippet public/view_test.cpp reshape
    [[nodiscard]] Array flatten(Layout order = Layout::row_major) const {
        return copy(order).reshape(TargetShape{-1}, order);
    }
    /// A copy in the array's own layout, or in another one.
    /// @snippet public/view_test.cpp copy
    [[nodiscard]] Array copy() const { return Array(detail::copy_of(core_)); }
    [[nodiscard]] Array copy(Layout layout) const { return Array(detail::copy_of(core_, layout)); }

    /// Copies the elements from the host: a span, vector, array or list of as many, row-major; or an Eigen object of
    /// this shape. Waits. @throws ShapeError if it doesn't fit
    /// @snippet public/host_test.cpp lists
    void copy_from(std::span<const T> host) { detail::copy_from_host(core_, host.data(), std::ssize(host)); }
    void copy_from(std::initializer_list<T> host) { copy_from(std::span<const T>(host.begin(), host.size())); }
    template <detail::HostMemoryOf<T> C>
    void copy_from(const C& host) {
        detail::copy_from_host(core_, std::data(host), std::ssize(host));
    }
    template <detail::HostMatrix M>
    void copy_from(const M& host) {
        copy_in(core_, host);
    }
    void copy_from(const std::vector<bool>& host)
        requires std::is_same_v<T, bool>
    {
        detail::copy_from_bits(core_, host);
    }
    /// Copies the elements to the host: to a span, vector or array of as many, row-major; or to an Eigen object of this
    /// shape, which may be a part of another. Waits. @throws ShapeError if it doesn't fit
    /// @snippet public/eigen_test.cpp copy
    void copy_to(std::span<T> host) const { detail::copy_to_host(core_, host.data(), std::ssize(host)); }
    template <detail::HostMemoryOf<T> C>
    void copy_to(C& host) const {
        detail::copy_to_host(core_, std::data(host), std::ssize(host));
    }
    template <detail::HostMatrix M>
    void copy_to(M&& host) const {
        copy_out(core_, host);
    }
    void copy_to(std::vector<bool>& host) const
        requires std::is_same_v<T, bool>
    {
        detail::copy_to_bits(core_, host);
    }
    /// Starts copying the elements from the host in the current stream and returns at once; the event is reached when
    /// that is done. Until then the host memory must neither change nor go, and only from gpu::Pinned memory (or other
    /// page-locked one) does a GPU copy while the host goes on: with other memory the call may wait.
    /// @snippet public/async_test.cpp async
    Event copy_from_async(std::span<const T> host) {
        return detail::copy_from_host_async(core_, host.data(), std::ssize(host));
    }
    /// Starts copying the elements to the host and returns at once; they are there when the event is reached. Until then
    /// the host memory must stay; read it after `done.synchronize()`. Only to gpu::Pinned memory does a GPU copy while the
    /// host goes on: with other memory the call may wait.
    /// @snippet public/async_test.cpp async
    Event copy_to_async(std::span<T> host) const {
        return detail::copy_to_host_async(core_, host.data(), std::ssize(host));
    }
    /// The only element of an array of size 1; waits for it. @throws ShapeError if there isn't exactly one.
    [[nodiscard]] T item() const;
    /// The elements in another type, see Expr::astype.
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
/// @snippet public/facts_test.cpp any_array
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
