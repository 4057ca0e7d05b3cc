// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <iterator>
#include <span>
#include <type_traits>
#include <vector>

#include <gpu/array_core.hpp>
#include <gpu/memory.hpp>

namespace gpu {

template <class T>
class Array;

/// @cond internal
namespace detail {

// gpu/eigen.hpp has the same two for Eigen's objects.
template <HostMemory H>
void copy_in(const ArrayCore& target, const H& host) {
    copy_from_host(target, std::data(host), std::ssize(host));
}
inline void copy_in(const ArrayCore& target, const std::vector<bool>& host) { copy_from_bits(target, host); }
template <HostMemory H>
void copy_out(const ArrayCore& source, H& host) {
    copy_to_host(source, std::data(host), std::ssize(host));
}
inline void copy_out(const ArrayCore& source, std::vector<bool>& host) { copy_to_bits(source, host); }

/// Arrays and views, which have a device.
template <class A>
concept OnDevice = requires(const A& a) {
    a.core();
    a.device();
};
/// What copies to and from arrays of T: memory, bits for bools, Eigen's objects.
template <class H, class T>
concept HostSide =
    HostMemoryOf<H, T> || HostMatrix<H> || (std::is_same_v<T, bool> && std::is_same_v<H, std::vector<bool>>);

}  // namespace detail
/// @endcond

/// The common part of arrays and views: copies of their elements, on the device and to and from the host. `C` is the
/// element type that a const object gives access to; read-only ones have no copy_from().
template <class Self, class T, class C>
class Transferable {
    using Value = std::remove_const_t<C>;

public:
    /// Copies the elements from the host: from a span, vector, array or list of the same size, row-major; or from an
    /// Eigen object of this shape. Waits. @throws ShapeError if it doesn't fit
    /// @snippet public/memory_test.cpp lists
    template <detail::HostSide<Value> H>
        requires(!std::is_const_v<T>)
    void copy_from(const H& host) {
        copy_in(core("copy_from"), host);
    }
    template <detail::HostSide<Value> H>
        requires(!std::is_const_v<C>)
    void copy_from(const H& host) const {
        copy_in(core("copy_from"), host);
    }
    void copy_from(std::initializer_list<Value> host)
        requires(!std::is_const_v<T>)
    {
        detail::copy_from_host(core("copy_from"), host.begin(), std::ssize(host));
    }
    void copy_from(std::initializer_list<Value> host) const
        requires(!std::is_const_v<C>)
    {
        detail::copy_from_host(core("copy_from"), host.begin(), std::ssize(host));
    }
    /// @cond internal
    template <detail::OnDevice A>
    void copy_from(const A&) const {
        static_assert(!detail::OnDevice<A>, "copy_from() copies from the host: between arrays write y = x");
    }
    template <detail::OnDevice A>
    void copy_to(const A&) const {
        static_assert(!detail::OnDevice<A>, "copy_to() copies to the host: between arrays write y = x");
    }
    /// @endcond
    /// Copies the elements to the host: to a span, vector or array of the same size, row-major; or to an Eigen object
    /// of this shape, which may be part of another. Waits. @throws ShapeError if it doesn't fit
    /// @snippet public/eigen_test.cpp copy
    template <detail::HostSide<Value> H>
    void copy_to(H& host) const {
        copy_out(core("copy_to"), host);
    }
    template <detail::HostMatrix H>
    void copy_to(H&& part) const {
        copy_out(core("copy_to"), part);
    }
    void copy_to(std::span<Value> host) const { detail::copy_to_host(core("copy_to"), host.data(), std::ssize(host)); }

    /// Starts copying the elements from the host in the current stream and returns at once; the event is reached when
    /// the copy is done. Until then, don't change or free the host memory. A GPU copies while the host continues only
    /// from gpu::Pinned (or other page-locked) memory: with other memory the call may wait.
    /// @snippet public/stream_test.cpp async
    Event copy_from_async(std::span<const Value> host)
        requires(!std::is_const_v<T>)
    {
        return detail::copy_from_host_async(core("copy_from_async"), host.data(), std::ssize(host));
    }
    Event copy_from_async(std::span<const Value> host) const
        requires(!std::is_const_v<C>)
    {
        return detail::copy_from_host_async(core("copy_from_async"), host.data(), std::ssize(host));
    }
    /// Starts copying the elements to the host and returns at once; they have arrived when the event is reached. Until
    /// then, don't free the host memory; read it after `done.synchronize()`. A GPU copies while the host continues only
    /// to gpu::Pinned memory: with other memory the call may wait.
    /// @snippet public/stream_test.cpp async
    Event copy_to_async(std::span<Value> host) const {
        return detail::copy_to_host_async(core("copy_to_async"), host.data(), std::ssize(host));
    }
    /// The only element of an array of size 1; waits for it. @throws ShapeError if there isn't exactly one.
    /// @snippet public/expression_test.cpp array_facts
    [[nodiscard]] Value item() const {
        Value value;
        detail::read_item(core("item"), &value);
        return value;
    }

    /// A dense copy: in the given layout; without one, an array's copy keeps its layout and a view's is row-major.
    /// @snippet public/array_test.cpp copy in a layout
    [[nodiscard]] Array<Value> copy() const { return Array<Value>(*static_cast<const Self*>(this)); }
    [[nodiscard]] Array<Value> copy(Layout layout) const { return Array<Value>(detail::copy_of(core("copy"), layout)); }
    /// A copy with one axis, read in this order.
    /// @snippet public/array_test.cpp reshape
    [[nodiscard]] Array<Value> flatten(Layout order = Layout::row_major) const {
        return copy(order).reshape(TargetShape{-1}, order);
    }
    /// A copy with the elements in another type, see Expr::astype.
    template <Arithmetic U>
    [[nodiscard]] Array<ArrayElement<U>> astype() const;
    /// A copy on another device. @throws DeviceError
    /// @snippet public/device_test.cpp to
    [[nodiscard]] Array<Value> to(Device device) const {
        const detail::ArrayCore& source = core("to");
        const bool keeps_layout = std::is_same_v<Self, Array<Value>>;  // as copy() does
        return Array<Value>(
            detail::copy_to_device(source, device, keeps_layout ? detail::own_layout(source) : Layout::row_major));
    }

private:
    [[nodiscard]] const detail::ArrayCore& core(const char* operation) const {
        return static_cast<const Self*>(this)->core(operation);
    }
};

}  // namespace gpu
