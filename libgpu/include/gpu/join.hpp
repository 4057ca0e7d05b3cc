// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include <gpu/create.hpp>

/// @file
/// Joining arrays: concatenate, stack, hstack, vstack; repeating one: repeat, tile.

namespace gpu {

/// The axis along which arrays are joined or split.
struct JoinOptions {
    int axis = 0;  ///< negative ones count from the last
};

/// @cond internal
namespace detail {

/// One of the arrays in `concatenate<float>({a, b(0), a + b})`: an array, a view or an expression of this type.
template <Element T>
class Part {
public:
    template <Lazy A>
        requires std::is_same_v<typename OperandTraits<A>::element, T>
    Part(const A& value) : node_(to_node(value)) {}  // NOLINT(google-explicit-constructor)
    [[nodiscard]] const NodePointer& node() const noexcept { return node_; }

private:
    NodePointer node_;
};
/// The same of any type.
class AnyPart {
public:
    template <Lazy A>
    AnyPart(const A& value) : node_(to_node(value)) {}             // NOLINT(google-explicit-constructor)
    AnyPart(const AnyArray& value) : node_(leaf(value.core())) {}  // NOLINT(google-explicit-constructor)
    [[nodiscard]] const NodePointer& node() const noexcept { return node_; }

private:
    NodePointer node_;
};

GPU_API ArrayCore concatenate(const std::vector<NodePointer>& parts, int axis);
GPU_API ArrayCore stack(const std::vector<NodePointer>& parts, int axis);
GPU_API ArrayCore hstack(const std::vector<NodePointer>& parts);
GPU_API ArrayCore vstack(const std::vector<NodePointer>& parts);
GPU_API ArrayCore repeat(const ArrayCore& array, std::int64_t count, int axis);
GPU_API ArrayCore tile(const ArrayCore& array, const Shape& counts);

template <class Parts>
std::vector<NodePointer> nodes_of(const Parts& parts) {
    std::vector<NodePointer> nodes;
    for (const auto& part : parts) {
        if constexpr (requires { part.node(); })
            nodes.push_back(part.node());
        else
            nodes.push_back(to_node(part));
    }
    return nodes;
}
}  // namespace detail
/// @endcond

/// Arrays one after the other along an existing axis: `concatenate<float>({a, b}, {.axis = 1})`. Takes arrays,
/// views and expressions. @throws ShapeError if the other axes differ; AxisError
/// @snippet public/join_test.cpp concatenate
template <Element T>
[[nodiscard]] Array<T> concatenate(std::initializer_list<detail::Part<T>> parts, const JoinOptions& options = {}) {
    return Array<T>(detail::concatenate(detail::nodes_of(parts), options.axis));
}
/// Without a named type, the elements become what NumPy promotes them to.
[[nodiscard]] inline AnyArray concatenate(std::initializer_list<detail::AnyPart> parts,
                                          const JoinOptions& options = {}) {
    return AnyArray(detail::concatenate(detail::nodes_of(parts), options.axis));
}
template <detail::Lazy A>
[[nodiscard]] auto concatenate(const std::vector<A>& parts, const JoinOptions& options = {}) {
    using T = typename detail::OperandTraits<A>::element;
    return Array<T>(detail::concatenate(detail::nodes_of(parts), options.axis));
}

/// Arrays of one shape along a new axis. @throws ShapeError if the shapes differ; AxisError
/// @snippet public/join_test.cpp concatenate
template <Element T>
[[nodiscard]] Array<T> stack(std::initializer_list<detail::Part<T>> parts, const JoinOptions& options = {}) {
    return Array<T>(detail::stack(detail::nodes_of(parts), options.axis));
}
[[nodiscard]] inline AnyArray stack(std::initializer_list<detail::AnyPart> parts, const JoinOptions& options = {}) {
    return AnyArray(detail::stack(detail::nodes_of(parts), options.axis));
}
template <detail::Lazy A>
[[nodiscard]] auto stack(const std::vector<A>& parts, const JoinOptions& options = {}) {
    using T = typename detail::OperandTraits<A>::element;
    return Array<T>(detail::stack(detail::nodes_of(parts), options.axis));
}

/// Side by side: along axis 1, or the only one. @throws ShapeError
/// @snippet public/join_test.cpp concatenate
template <Element T>
[[nodiscard]] Array<T> hstack(std::initializer_list<detail::Part<T>> parts) {
    return Array<T>(detail::hstack(detail::nodes_of(parts)));
}
/// One below the other: along axis 0, arrays with one axis as rows. @throws ShapeError
/// @snippet public/join_test.cpp concatenate
template <Element T>
[[nodiscard]] Array<T> vstack(std::initializer_list<detail::Part<T>> parts) {
    return Array<T>(detail::vstack(detail::nodes_of(parts)));
}

/// Each element repeated `count` times, along an axis. @throws AxisError; ShapeError if `count` is negative
/// @snippet public/join_test.cpp repeat
template <detail::HasCore A>
[[nodiscard]] auto repeat(const A& array, std::int64_t count, const JoinOptions& options = {}) {
    return Array<detail::LazyElement<A>>(detail::repeat(array.core("repeat"), count, options.axis));
}
/// The array repeated along each axis: `tile(a, {2, 1})`. More counts than axes add leading axes.
/// @snippet public/join_test.cpp repeat
template <detail::HasCore A>
[[nodiscard]] auto tile(const A& array, const Shape& counts) {
    return Array<detail::LazyElement<A>>(detail::tile(array.core("tile"), counts));
}

}  // namespace gpu
