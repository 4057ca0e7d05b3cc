// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <gpu/array.hpp>
#include <gpu/expression_core.hpp>
#include <gpu/view.hpp>

namespace gpu {

/// A lazy elementwise expression with elements of type T: it is evaluated, in one kernel, when it is assigned.
/// It keeps its arrays' buffers alive. Writing to one of them before the evaluation makes that throw an
/// ExpressionError: to keep a value, assign it to a `gpu::Array<T>`, not to `auto`.
/// @snippet public/expression_test.cpp expression
template <Element T>
class Expr {
public:
    using value_type = T;

    [[nodiscard]] const Shape& shape() const noexcept { return detail::shape_of(*node_); }
    /// The elements in another type, still lazily; the same on every device.
    ///
    /// A floating-point number converted to an integer is truncated and saturates; NaN becomes 0. An integer wraps
    /// around, as in C++. Only 0 becomes false. A complex number can't be converted to a real one.
    /// @snippet public/math_test.cpp astype
    template <Element U>
    [[nodiscard]] Expr<U> astype() const {
        detail::check_cast<T, U>();
        return Expr<U>(detail::cast_node(dtype_of<U>, node_));
    }
    /// Evaluates now.
    [[nodiscard]] Array<T> eval() const { return Array<T>(*this); }

    /// @cond internal
    explicit Expr(detail::NodePointer node) : node_(std::move(node)) {}
    [[nodiscard]] const detail::NodePointer& node() const noexcept { return node_; }
    /// @endcond

private:
    detail::NodePointer node_;
};

template <Element T>
Array<T>::Array(const Expr<T>& value) : core_(detail::evaluate(value.node())) {}
template <Element T>
Array<T>& Array<T>::operator=(const Expr<T>& value) {
    detail::assign(core_, value.node(), true);
    return *this;
}
template <Element T>
template <Arithmetic S>
    requires std::is_convertible_v<S, T>
Array<T>& Array<T>::operator=(S value) {
    (void)core("assignment");
    detail::assign(core_, detail::to_node(static_cast<T>(value)), false);
    return *this;
}
template <class Self, class T, class C>
template <Element U>
Array<U> Transferable<Self, T, C>::astype() const {
    detail::check_cast<Value, U>();
    return Array<U>(detail::evaluate(detail::cast_node(dtype_of<U>, detail::leaf(core("astype")))));
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
