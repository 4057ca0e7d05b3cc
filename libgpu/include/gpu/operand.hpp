// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include <gpu/expression.hpp>

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
