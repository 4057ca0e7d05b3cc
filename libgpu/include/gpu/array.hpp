// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <gpu/array_core.hpp>
#include <gpu/dtype.hpp>
#include <gpu/expression_core.hpp>
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
    /// @cond internal
    // Refused in words: other elements, a shape alone, numbers, and what is on the host.
    template <detail::Lazy A>
        requires(!std::is_same_v<typename detail::OperandTraits<A>::element, T>)
    Array(const A&) {  // NOLINT(google-explicit-constructor)
        static_assert(sizeof(A) == 0 || !detail::HasCore<A>,
                      "the array has other elements than this one: write .astype<T>()");
        static_assert(sizeof(A) == 0 || detail::HasCore<A>,
                      "the expression has other elements than the array: write .astype<T>()");
    }
#define GPU_SHAPE_ALONE                                                         \
    "an Array isn't made from a shape alone: write gpu::zeros<float>({3, 3}), " \
    "gpu::empty<float>({3, 3}) or gpu::to_device(h)"
    explicit Array(const Shape&) { static_assert(sizeof(T) == 0, GPU_SHAPE_ALONE); }
    template <std::integral I, std::size_t N>
    explicit Array(const I (&)[N]) {  // {3, 3}, which could be made into numbers, too
        static_assert(sizeof(I) == 0, GPU_SHAPE_ALONE);
    }
#undef GPU_SHAPE_ALONE
    template <Arithmetic... N>
        requires(sizeof...(N) > 1)
    Array(N...) {  // NOLINT(google-explicit-constructor)
        static_assert(sizeof...(N) == 0,
                      "an Array isn't made from numbers: write gpu::to_device<float>({1, 2, 3}) for these elements, "
                      "gpu::zeros<float>({3, 4}) or gpu::full<float>({3}, 2) for a shape");
    }
    // Deleted, so that nothing converts; compilers show the line.
    // NOLINTBEGIN(google-explicit-constructor)
    // clang-format off
    template <class H>
        requires(!detail::Lazy<H> && (detail::HostMemory<H> || detail::HostMatrix<H>))
    Array(const H&) = delete;  // its elements are on the host: write gpu::to_device(h)
    // clang-format on
    // NOLINTEND(google-explicit-constructor)
    /// @endcond
    ~Array() = default;

    /// Copies the elements; the buffer is reused if shape and device agree.
    Array& operator=(const Array& other) &;
    Array& operator=(Array&&) & noexcept = default;
    Array& operator=(const View<T>& view) &;
    Array& operator=(const View<const T>& view) &;
    /// Evaluates in one kernel; the buffer is reused if shape and device agree.
    Array& operator=(const Expr<T>& value) &;
    /// Sets all elements to this number, in one kernel; the shape stays, as for Eigen's arrays.
    /// @snippet public/array_test.cpp fill
    template <Arithmetic S>
        requires std::is_convertible_v<S, T>
    Array& operator=(S value) &;
    /// @cond internal
    template <class A>
    Array& operator=(const A&) && {
        static_assert(sizeof(A) == 0,
                      "what is assigned to a temporary array is lost: windows of an expression or of x[mask] are new "
                      "arrays, those of an array or a view are not");
        return *this;
    }
    /// @endcond

    /// The array itself, for code that is written once for arrays, views and expressions: nothing is copied, as in
    /// Eigen. `const auto& y = x.eval()` costs nothing; `auto y = x.eval()` is a copy.
    /// @snippet public/expression_test.cpp eval
    [[nodiscard]] const Array& eval() const& noexcept { return *this; }
    [[nodiscard]] Array eval() && noexcept { return std::move(*this); }

    /// @cond internal
    // A number of the host would wait unseen, and a vector would be a copy unseen. Deleted, so that nothing converts;
    // compilers show the line.
    // NOLINTBEGIN(google-explicit-constructor)
    // clang-format off
    operator T() const = delete;  // an array is no number or bool: write gpu::sum(x).item(), gpu::all(x == y).item()
    template <class V>
        requires detail::is_vector<V>
    operator V() const = delete;  // its elements are on the device: write gpu::to_host(x)
    // clang-format on
    // NOLINTEND(google-explicit-constructor)
    /// @endcond

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
