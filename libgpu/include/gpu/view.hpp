// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/array.hpp>

namespace gpu {

/// A strided window on an array: a slice, a transpose, a broadcast. It keeps the buffer alive and owns no elements.
///
/// Copying a view copies the window; assigning to one copies elements and never moves the window. View<const T> only
/// reads.
template <class T>
class View : public Windowed<View<T>, T, T>, public Indexable<View<T>, T, T> {
public:
    using value_type = std::remove_const_t<T>;

    View(const View&) = default;
    template <class U>
        requires std::is_same_v<const U, T> && (!std::is_same_v<U, T>)
    View(const View<U>& other) : core_(other.core()) {}  // NOLINT(google-explicit-constructor)
    View(const Array<value_type>& array)                 // NOLINT(google-explicit-constructor)
        requires std::is_const_v<T>
        : core_(array.core()) {}
    View(Array<value_type>& array) : core_(array.core()) {}  // NOLINT(google-explicit-constructor)

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

    [[nodiscard]] const Shape& shape() const noexcept { return core_.shape; }
    [[nodiscard]] const Strides& strides() const noexcept { return core_.strides; }
    [[nodiscard]] int rank() const noexcept { return core_.shape.rank(); }
    [[nodiscard]] std::int64_t size() const { return core_.shape.size(); }
    [[nodiscard]] Device device() const { return detail::device_of(core_); }
    /// The first element's address on the device; the others lie `strides()` elements apart.
    [[nodiscard]] T* data() const noexcept {
        if constexpr (!std::is_const_v<T>) detail::mark_written(core_);
        return static_cast<T*>(detail::data_of(core_));
    }

    /// The same elements in another shape, read in this order; one length may be -1.
    /// @throws ShapeError if the sizes differ, or if the elements would have to move (copy() first)
    [[nodiscard]] View reshape(const TargetShape& shape, Layout order = Layout::row_major) const {
        return View(detail::reshaped(core_, shape, order));
    }
    /// A copy with one axis, read in this order.
    [[nodiscard]] Array<value_type> flatten(Layout order = Layout::row_major) const {
        return copy(order).reshape(TargetShape{-1}, order);
    }
    /// A dense copy: row-major, unless the window is column-major as it is; or in the given layout.
    [[nodiscard]] Array<value_type> copy() const { return Array<value_type>(detail::copy_of(core_)); }
    [[nodiscard]] Array<value_type> copy(Layout layout) const {
        return Array<value_type>(detail::copy_of(core_, layout));
    }

    /// As an array's: the window's elements, row-major.
    void copy_from(std::span<const value_type> host) const
        requires(!std::is_const_v<T>)
    {
        detail::copy_from_host(core_, host.data(), std::ssize(host));
    }
    void copy_from(std::initializer_list<value_type> host) const
        requires(!std::is_const_v<T>)
    {
        detail::copy_from_host(core_, host.begin(), std::ssize(host));
    }
    template <detail::HostMemoryOf<value_type> C>
        requires(!std::is_const_v<T>)
    void copy_from(const C& host) const {
        detail::copy_from_host(core_, std::data(host), std::ssize(host));
    }
    template <detail::HostMatrix M>
        requires(!std::is_const_v<T>)
    void copy_from(const M& host) const {
        copy_in(core_, host);
    }
    void copy_from(const std::vector<bool>& host) const
        requires std::is_same_v<T, bool>
    {
        detail::copy_from_bits(core_, host);
    }
    /// As an array's.
    void copy_to(std::span<value_type> host) const { detail::copy_to_host(core_, host.data(), std::ssize(host)); }
    template <detail::HostMemoryOf<value_type> C>
    void copy_to(C& host) const {
        detail::copy_to_host(core_, std::data(host), std::ssize(host));
    }
    template <detail::HostMatrix M>
    void copy_to(M&& host) const {
        copy_out(core_, host);
    }
    void copy_to(std::vector<bool>& host) const
        requires std::is_same_v<value_type, bool>
    {
        detail::copy_to_bits(core_, host);
    }
    Event copy_from_async(std::span<const value_type> host) const
        requires(!std::is_const_v<T>)
    {
        return detail::copy_from_host_async(core_, host.data(), std::ssize(host));
    }
    Event copy_to_async(std::span<value_type> host) const {
        return detail::copy_to_host_async(core_, host.data(), std::ssize(host));
    }
    [[nodiscard]] value_type item() const {
        value_type value;
        detail::read_item(core_, &value);
        return value;
    }

    /// @cond internal
    explicit View(detail::ArrayCore core) : core_(std::move(core)) {}
    [[nodiscard]] const detail::ArrayCore& core() const noexcept { return core_; }
    /// @endcond

private:
    template <class Source>
    View& assign(const Source& source) {
        static_assert(!std::is_const_v<T>, "a View<const T> only reads");
        detail::assign(core_, detail::leaf(source.core()), false);
        return *this;
    }

    detail::ArrayCore core_;
};

template <Element T>
Array<T>::Array(const View<T>& view) : core_(detail::copy_of(view.core())) {}
template <Element T>
Array<T>::Array(const View<const T>& view) : core_(detail::copy_of(view.core())) {}
template <Element T>
Array<T>::Array(const AnyArray& any) : core_(any.core()) {
    detail::check_same_dtype(core_, dtype_of<T>, "Array from a kernel's result");
}

template <Element T>
Array<T>& Array<T>::operator=(const Array& other) {
    if (this != &other) detail::assign(core_, detail::leaf(other.core_), true);
    return *this;
}
template <Element T>
Array<T>& Array<T>::operator=(const View<T>& view) {
    detail::assign(core_, detail::leaf(view.core()), true);
    return *this;
}
template <Element T>
Array<T>& Array<T>::operator=(const View<const T>& view) {
    detail::assign(core_, detail::leaf(view.core()), true);
    return *this;
}

template <Element T>
View<T> Array<T>::reshape(const TargetShape& shape, Layout order) & {
    return View<T>(detail::reshaped(core_, shape, order));
}
template <Element T>
View<const T> Array<T>::reshape(const TargetShape& shape, Layout order) const& {
    return View<const T>(detail::reshaped(core_, shape, order));
}
template <Element T>
Array<T> Array<T>::reshape(const TargetShape& shape, Layout order) && {
    return Array(detail::reshaped_or_copied(core_, shape, order));  // the buffer has no other owner
}
template <Element T>
T Array<T>::item() const {
    T value;
    detail::read_item(core_, &value);
    return value;
}

}  // namespace gpu

#include <gpu/expression.hpp>
