// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/array.hpp>
#include <gpu/expression_core.hpp>
#include <gpu/view.hpp>

namespace gpu {

/// What arrays offer to readers, for what becomes an array where one is asked for: expressions, x[index], x[mask].
///
/// Each call evaluates, and returns an element or a new array, which nothing else sees; a mask waits to learn how many
/// elements there are. Of an expression, one kernel computes the elements that are asked for: `(x * y)(0)`, of a
/// matrix, computes a row. To ask more than once, evaluate once: `gpu::Array<float> z = x * y`. Errors are an array's.
/// @snippet public/expression_test.cpp as_array
template <class Self, class T>
class Readable : public NoMembers<Self> {
public:
    /// The only element, see Array. Waits. @throws ShapeError if there isn't exactly one
    [[nodiscard]] T item() const { return array().item(); }

    [[nodiscard]] Array<T> copy() const { return array(); }
    [[nodiscard]] Array<T> copy(Layout layout) const { return array().copy(layout); }
    [[nodiscard]] Array<T> to(Device device) const { return array().to(device); }
    /// Copies the elements to the host, see Array. Waits.
    template <class H>
    void copy_to(H&& host) const {
        array().copy_to(host);
    }
    [[nodiscard]] Array<T> flatten(Layout order = Layout::row_major) const { return reshape(TargetShape{-1}, order); }
    [[nodiscard]] Array<T> ravel() const { return reshape(TargetShape{-1}); }
    [[nodiscard]] Array<T> reshape(const TargetShape& shape, Layout order = Layout::row_major) const {
        return array().reshape(shape, order);
    }
    template <std::integral... I>
        requires(sizeof...(I) > 1)
    [[nodiscard]] Array<T> reshape(I... lengths) const {
        return reshape(TargetShape(lengths...));
    }

    /// The windows of an array's `x(...)`, and its index arrays.
    template <class... I>
    [[nodiscard]] Array<T> operator()(const I&... indices) const {
        if constexpr (detail::any_array<I...>) {
            return array()(indices...);
        } else {
            const std::array<detail::Index, sizeof...(I)> list{detail::to_index(indices)...};
            return window([&](const detail::ArrayCore& core) { return detail::sliced(core, list); });
        }
    }
    [[nodiscard]] Array<T> transpose() const {
        return window([](const detail::ArrayCore& core) { return detail::transposed(core); });
    }
    [[nodiscard]] Array<T> transpose(std::initializer_list<int> axes) const {
        return window([&](const detail::ArrayCore& core) { return detail::transposed(core, list(axes)); });
    }
    [[nodiscard]] Array<T> swapaxes(int axis1, int axis2) const {
        return window([&](const detail::ArrayCore& core) { return detail::axes_swapped(core, axis1, axis2); });
    }
    [[nodiscard]] Array<T> moveaxis(int from, int to) const { return moveaxis({from}, {to}); }
    [[nodiscard]] Array<T> moveaxis(std::initializer_list<int> from, std::initializer_list<int> to) const {
        return window([&](const detail::ArrayCore& core) { return detail::axes_moved(core, list(from), list(to)); });
    }
    [[nodiscard]] Array<T> broadcast_to(const Shape& shape) const {
        return window([&](const detail::ArrayCore& core) { return detail::broadcasted(core, shape); });
    }
    [[nodiscard]] Array<T> diagonal(std::int64_t offset = 0, int axis1 = 0, int axis2 = 1) const {
        return window([&](const detail::ArrayCore& core) { return detail::diagonal(core, offset, axis1, axis2); });
    }
    [[nodiscard]] Array<T> squeeze() const {
        return window([](const detail::ArrayCore& core) { return detail::squeezed(core); });
    }
    [[nodiscard]] Array<T> squeeze(std::initializer_list<int> axes) const {
        return window([&](const detail::ArrayCore& core) { return detail::squeezed(core, list(axes)); });
    }
    [[nodiscard]] Array<T> expand_dims(int axis) const {
        return window([&](const detail::ArrayCore& core) { return detail::expanded(core, axis); });
    }
    [[nodiscard]] Array<T> flip() const {
        return window([](const detail::ArrayCore& core) { return detail::flipped(core); });
    }
    [[nodiscard]] Array<T> flip(std::initializer_list<int> axes) const {
        return window([&](const detail::ArrayCore& core) { return detail::flipped(core, list(axes)); });
    }
    /// The result turned by 90 degrees so many times, from the first axis toward the second.
    [[nodiscard]] Array<T> rot90(int times = 1, int axis1 = 0, int axis2 = 1) const {
        return window([&](const detail::ArrayCore& core) { return detail::rotated(core, times, axis1, axis2); });
    }
    template <class I>
    [[nodiscard]] Array<T> take(const I& index, const IndexOptions& options = {}) const {
        return array().take(index, options);
    }
    /// @cond internal
    // Explicit, see Expr.
    // clang-format off
    template <class V>
        requires detail::is_vector<V>
    explicit operator V() const = delete;  // its elements are on the device: write gpu::to_host(x)
    template <std::same_as<bool> B>
        requires std::same_as<T, bool>
    operator B() const = delete;  // NOLINT(google-explicit-constructor): no bool: write gpu::all(x == y).item()
    // clang-format on
    /// @endcond

private:
    [[nodiscard]] Array<T> array() const { return static_cast<const Self*>(this)->eval(); }
    template <class Window>
    [[nodiscard]] Array<T> window(const Window& of) const {
        return Array<T>(detail::evaluate_window(detail::to_node(*static_cast<const Self*>(this)), of));
    }
    static std::span<const int> list(std::initializer_list<int> axes) noexcept { return {axes.begin(), axes.size()}; }
};

/// A lazy elementwise expression with elements of type T: it is evaluated, in one kernel, when it is assigned.
/// It keeps its arrays' buffers alive. Writing to one of them before the evaluation makes that throw an
/// ExpressionError: to keep a value, assign it to a `gpu::Array<T>`, not to `auto`.
///
/// Wherever its value is asked for it is an array, see Readable: each such call evaluates. Its shape, rank, size and
/// device are known without.
/// @snippet public/expression_test.cpp expression
template <Element T>
class Expr : public Readable<Expr<T>, T> {
public:
    using value_type = T;

    [[nodiscard]] const Shape& shape() const noexcept { return detail::shape_of(*node_); }
    [[nodiscard]] int rank() const noexcept { return shape().rank(); }
    [[nodiscard]] std::int64_t size() const { return shape().size(); }
    [[nodiscard]] Device device() const { return detail::device_of(node_); }
    /// The elements in another type, still lazily; the same on every device.
    ///
    /// A floating-point number converted to an integer is truncated and saturates; NaN becomes 0. An integer wraps
    /// around, as in C++. Only 0 becomes false. A complex number can't be converted to a real one.
    /// @snippet public/math_test.cpp astype
    template <Arithmetic U>
    [[nodiscard]] Expr<ArrayElement<U>> astype() const {
        detail::check_cast<T, U>();
        return Expr<ArrayElement<U>>(detail::cast_node(dtype_of<U>, node_));
    }
    /// Evaluates now.
    [[nodiscard]] Array<T> eval() const { return Array<T>(*this); }

    /// Of a mask, the elements where it is true, still lazily: `z[mask] = (x + y)[mask]` is one kernel. Of an array of
    /// positions, a new array. @throws ShapeError
    /// @snippet public/mask_test.cpp expression_index
    template <class I>
    [[nodiscard]] auto operator[](const I& index) const {
        return detail::indexed_value<T>(node_, index);
    }
    [[nodiscard]] Array<T> operator[](std::initializer_list<std::int64_t> positions) const { return eval()[positions]; }

    /// @cond internal
    // Deleted, see Array. Explicit, so that functions overloaded for numbers and arrays can be called with expressions.
    // clang-format off
    explicit operator T() const = delete;  // no number or bool: write (x + y).item(), gpu::all(x == y).item()
    // clang-format on
    explicit Expr(detail::NodePointer node) : node_(std::move(node)) {}
    [[nodiscard]] const detail::NodePointer& node() const noexcept { return node_; }
    /// @endcond

private:
    detail::NodePointer node_;
};

/// @cond internal
namespace detail {
// The array, or the one that it becomes.
template <ArrayLike A>
ArrayCore core_of(const A& a, const char* operation) {
    if constexpr (HasCore<A>)
        return a.core(operation);
    else
        return a.eval().core();
}

GPU_API ArrayCore array_of(Device device, DType dtype, const void* from, std::size_t count);

/// A list of numbers beside an array, `isin(x, {1, 2})`: on its device, and of its type if that is a floating one.
/// Whole numbers beside integers have 64 bits, others are doubles.
template <ArrayLike A>
class ListBeside {
public:
    template <Arithmetic... N>
        requires(!is_complex(dtype_of<N>) && ...)
    ListBeside(N... numbers) {  // NOLINT(google-explicit-constructor): from braces
        constexpr DType element = dtype_of<LazyElement<A>>;
        if constexpr (is_floating(element) || is_complex(element) || (is_floating(dtype_of<N>) || ...)) {
            reals_ = {static_cast<double>(numbers)...};
            type_ = is_floating(element) || is_complex(element) ? element : DType::float64;
        } else {
            using Whole = std::conditional_t<element == DType::uint64, std::uint64_t, std::int64_t>;
            (static_cast<void>(element_node<Whole>(numbers, "a list of numbers")), ...);
            wholes_ = {static_cast<std::int64_t>(numbers)...};
            type_ = dtype_of<Whole>;
        }
    }
    /// The list's type, which is also the common type of it and the array.
    [[nodiscard]] DType type() const noexcept { return type_; }
    [[nodiscard]] NodePointer node(const NodePointer& beside) const {
        const bool is_whole = is_integer(type_);
        return cast_node(type_,
                         leaf(is_whole ? array_of(device_of(beside), type_, wholes_.data(), wholes_.size())
                                       : array_of(device_of(beside), DType::float64, reals_.data(), reals_.size())));
    }

private:
    std::vector<double> reals_;
    std::vector<std::int64_t> wholes_;
    DType type_ = DType::float64;
};
template <class A>
using List = ListBeside<std::type_identity_t<A>>;

}  // namespace detail
/// @endcond

template <class T>
Array<T>::Array(const Expr<T>& value) : core_(detail::evaluate(value.node())) {}
template <class T>
Array<T>& Array<T>::operator=(const Expr<T>& value) & {
    detail::assign(core_, value.node(), true);
    return *this;
}
template <class T>
template <Arithmetic S>
Array<T>& Array<T>::operator=(S value) & {
    (void)core("assignment");
    detail::assign(core_, detail::element_node<T>(value, "assignment"), false);
    return *this;
}
template <class Self, class T, class C>
template <Arithmetic U>
Array<ArrayElement<U>> Transferable<Self, T, C>::astype() const {
    detail::check_cast<Value, U>();
    return Array<ArrayElement<U>>(detail::evaluate(detail::cast_node(dtype_of<U>, detail::leaf(core("astype")))));
}
template <class T>
View<T>& View<T>::operator=(const Expr<value_type>& value) {
    static_assert(!std::is_const_v<T>, "a View<const T> only reads");
    detail::assign(core_, value.node(), false);
    return *this;
}
template <class T>
View<T>& View<T>::operator=(value_type value) {
    static_assert(!std::is_const_v<T>, "a View<const T> only reads");
    detail::assign(core_, detail::to_node(value), false);
    return *this;
}
template <class T>
template <Arithmetic S>
View<T>& View<T>::operator=(S value) {
    static_assert(!std::is_const_v<T>, "a View<const T> only reads");
    detail::assign(core_, detail::element_node<value_type>(value, "assignment"), false);
    return *this;
}

}  // namespace gpu

#include <gpu/ops.hpp>

namespace gpu {

/// An array that a kernel writes: `squared_diff(x, y, gpu::out(z))`.
class GPU_API Output {
public:
    /// @cond internal
    explicit Output(detail::ArrayCore core) : core_(std::move(core)) {}
    [[nodiscard]] const detail::ArrayCore& core() const noexcept { return core_; }
    /// @endcond

private:
    detail::ArrayCore core_;
};

/// Names the array or view that a kernel call or a reduction writes.
template <Element T>
[[nodiscard]] Output out(Array<T>& array) {
    return Output(array.core("gpu::out"));
}
template <class T>
    requires(!std::is_const_v<T>)
[[nodiscard]] Output out(const View<T>& view) {
    return Output(view.core());
}

/// One operand of a kernel call: an array, a view, an expression, a number, or `gpu::out(array)`.
class GPU_API Operand {
public:
    enum class Kind : std::uint8_t { array, number, output };

    // Implicit on purpose: a call takes whatever can be an operand.
    template <detail::Lazy A>
    Operand(const A& value) : kind_(Kind::array), node_(detail::to_node(value)) {}  // NOLINT
    template <Arithmetic S>
    Operand(S value) : kind_(Kind::number), node_(detail::to_node(value)) {}                   // NOLINT
    Operand(const AnyArray& array) : kind_(Kind::array), node_(detail::leaf(array.core())) {}  // NOLINT
    Operand(const Output& output) : kind_(Kind::output), output_(output.core()) {}             // NOLINT

    /// @cond internal
    [[nodiscard]] Kind kind() const noexcept { return kind_; }
    [[nodiscard]] const detail::NodePointer& node() const noexcept { return node_; }
    [[nodiscard]] const detail::ArrayCore& output() const noexcept { return output_; }
    /// @endcond

private:
    Kind kind_;
    detail::NodePointer node_;
    detail::ArrayCore output_;
};

}  // namespace gpu
