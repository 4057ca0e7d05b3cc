// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <vector>

#include <gpu/raw_kernel.hpp>
#include <gpu/view.hpp>

namespace gpu {

/// @cond internal
namespace detail {

struct PointedCore {
    ArrayCore core;
    bool is_window = false;
};

// One of a PointerArray's arrays, from an Array or a View.
template <class T>
struct PointedArray : PointedCore {
    template <class A>
        requires requires(A& array) { array.window(); }
    PointedArray(A&& array)  // NOLINT(google-explicit-constructor): {x, y, z}
        : PointedCore{array.window(), detail::is_window<std::remove_cvref_t<A>>} {
        static_assert(have_same_elements<typename std::remove_cvref_t<A>::value_type, std::remove_const_t<T>>,
                      "the array's elements aren't those that the PointerArray points to");
        static_assert(std::is_const_v<T> || !reads_only<A>(),
                      "the array is const: make a PointerArray of const elements, a gpu::PointerArray<const float>");
    }
};

GPU_API std::shared_ptr<const PointerTable> make_table(const std::vector<PointedCore>& arrays);
GPU_API std::int64_t size_of_table(const PointerTable& table) noexcept;
GPU_API Device device_of_table(const PointerTable& table) noexcept;
// For a library, which may or may not write to the arrays.
GPU_API void* table_data(const PointerTable& table, bool written);

}  // namespace detail
/// @endcond

/// Pointers to several arrays of one device, in its memory: for raw kernels with a parameter `float**` or `const float*
/// const*`, and for libraries, such as cuBLAS's batched calls.
///
/// It shares the arrays' memory and keeps it alive. If an array gets other memory later, for example by assigning an
/// expression of another shape, the pointer still refers to the old one. Copies hold the same pointers. An array that a
/// kernel may write through them counts as written.
/// @snippet public/raw_kernel_test.cpp pointer_array
template <class T>
    requires Element<std::remove_const_t<T>>
class PointerArray {
public:
    /// To these arrays, and to views that are dense in row-major order: `gpu::PointerArray<float> p({x, y, m(0)})`.
    /// @throws ShapeError for another view; DeviceError if the arrays aren't on one device
    PointerArray(std::initializer_list<detail::PointedArray<T>> arrays)  // NOLINT(google-explicit-constructor)
        : table_(detail::make_table({arrays.begin(), arrays.end()})) {}
    /// To the arrays, or such views, of a container.
    /// @throws ShapeError, DeviceError as above
    /// @snippet public/raw_kernel_test.cpp range
    template <class Range>
        requires requires(Range& arrays) { detail::PointedArray<T>(*arrays.begin()); }
    explicit PointerArray(Range&& arrays) : table_(detail::make_table(listed(arrays))) {}
    PointerArray(const PointerArray&) = default;  // moving copies, so that no object is without pointers
    PointerArray& operator=(const PointerArray&) = default;
    ~PointerArray() = default;

    /// The number of pointers.
    /// @snippet public/raw_kernel_test.cpp data
    [[nodiscard]] std::int64_t size() const noexcept { return detail::size_of_table(*table_); }
    /// The device of the arrays and of the pointers themselves.
    /// @snippet public/raw_kernel_test.cpp data
    [[nodiscard]] Device device() const noexcept { return detail::device_of_table(*table_); }
    /// The first pointer's address on the device, for a library; without const elements the arrays count as written.
    /// @snippet public/raw_kernel_test.cpp data
    [[nodiscard]] T** data() const {
        return static_cast<T**>(detail::table_data(*table_, !std::is_const_v<T>));
    }

    /// @cond internal
    using Pointed = T;
    [[nodiscard]] const detail::PointerTable& table() const noexcept { return *table_; }
    /// @endcond

private:
    template <class Range>
    static std::vector<detail::PointedCore> listed(Range& arrays) {
        std::vector<detail::PointedCore> list;
        for (auto& array : arrays) list.push_back(detail::PointedArray<T>(array));
        return list;
    }

    std::shared_ptr<const detail::PointerTable> table_;
};

}  // namespace gpu
