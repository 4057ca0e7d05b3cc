// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/create.hpp>
#include <gpu/expression.hpp>
#include <gpu/indexable.hpp>

/// @file
/// Joining arrays: concatenate, stack, hstack, vstack; repeating: repeat, tile; splitting into views; and neighbours
/// along an axis: roll() and diff().

namespace gpu {

/// The axis along which arrays are joined or split.
struct JoinOptions {
    int axis = 0;  ///< negative ones count from the last
};

/// @cond internal
namespace detail {

/// An element of `concatenate<float>({a, b(0), a + b})`: an array, a view or an expression of this type.
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
/// The same for any type.
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

/// Joins arrays one after the other along an existing axis: `concatenate<float>({a, b}, {.axis = 1})`. Accepts arrays,
/// views and expressions. @throws ShapeError if the other axes differ; AxisError
/// @snippet public/create_test.cpp concatenate
template <Element T>
[[nodiscard]] Array<T> concatenate(std::initializer_list<detail::Part<T>> parts, const JoinOptions& options = {}) {
    return Array<T>(detail::concatenate(detail::nodes_of(parts), options.axis));
}
/// Without a named type: an Array if all parts have one element type, `concatenate({a, b})`; otherwise an AnyArray with
/// NumPy's promoted type.
/// @snippet public/exchange/any_array_test.cpp joined
template <int = 0>  // a template, so that parts of one type prefer the functions for that type, below
[[nodiscard]] AnyArray concatenate(std::initializer_list<detail::AnyPart> parts, const JoinOptions& options = {}) {
    return AnyArray(detail::concatenate(detail::nodes_of(parts), options.axis));
}
template <detail::Lazy A>
[[nodiscard]] auto concatenate(const std::vector<A>& parts, const JoinOptions& options = {}) {
    using T = typename detail::OperandTraits<A>::element;
    return Array<T>(detail::concatenate(detail::nodes_of(parts), options.axis));
}

/// Joins arrays of one shape along a new axis. @throws ShapeError if the shapes differ; AxisError
/// @snippet public/create_test.cpp concatenate
template <Element T>
[[nodiscard]] Array<T> stack(std::initializer_list<detail::Part<T>> parts, const JoinOptions& options = {}) {
    return Array<T>(detail::stack(detail::nodes_of(parts), options.axis));
}
template <int = 0>
[[nodiscard]] AnyArray stack(std::initializer_list<detail::AnyPart> parts, const JoinOptions& options = {}) {
    return AnyArray(detail::stack(detail::nodes_of(parts), options.axis));
}
template <detail::Lazy A>
[[nodiscard]] auto stack(const std::vector<A>& parts, const JoinOptions& options = {}) {
    using T = typename detail::OperandTraits<A>::element;
    return Array<T>(detail::stack(detail::nodes_of(parts), options.axis));
}

/// Joins side by side: along axis 1, or the only one. @throws ShapeError
/// @snippet public/create_test.cpp concatenate
template <Element T>
[[nodiscard]] Array<T> hstack(std::initializer_list<detail::Part<T>> parts) {
    return Array<T>(detail::hstack(detail::nodes_of(parts)));
}
template <int = 0>
[[nodiscard]] AnyArray hstack(std::initializer_list<detail::AnyPart> parts) {
    return AnyArray(detail::hstack(detail::nodes_of(parts)));
}
template <detail::Lazy A>
[[nodiscard]] auto hstack(const std::vector<A>& parts) {
    return Array<typename detail::OperandTraits<A>::element>(detail::hstack(detail::nodes_of(parts)));
}
/// Joins one below the other: along axis 0, with one-axis arrays as rows. @throws ShapeError
/// @snippet public/create_test.cpp concatenate
template <Element T>
[[nodiscard]] Array<T> vstack(std::initializer_list<detail::Part<T>> parts) {
    return Array<T>(detail::vstack(detail::nodes_of(parts)));
}
template <int = 0>
[[nodiscard]] AnyArray vstack(std::initializer_list<detail::AnyPart> parts) {
    return AnyArray(detail::vstack(detail::nodes_of(parts)));
}
template <detail::Lazy A>
[[nodiscard]] auto vstack(const std::vector<A>& parts) {
    return Array<typename detail::OperandTraits<A>::element>(detail::vstack(detail::nodes_of(parts)));
}

/// @cond internal
// For parts of one element type: overloads rather than one template, since nothing is deduced from arrays in braces.
#define GPU_JOIN(T)                                                                                                    \
    [[nodiscard]] GPU_API Array<T> concatenate(std::initializer_list<detail::Part<T>> parts, const JoinOptions& = {}); \
    [[nodiscard]] GPU_API Array<T> stack(std::initializer_list<detail::Part<T>> parts, const JoinOptions& = {});       \
    [[nodiscard]] GPU_API Array<T> hstack(std::initializer_list<detail::Part<T>> parts);                               \
    [[nodiscard]] GPU_API Array<T> vstack(std::initializer_list<detail::Part<T>> parts);
GPU_JOIN(bool)
GPU_JOIN(std::int8_t)
GPU_JOIN(std::int16_t)
GPU_JOIN(std::int32_t)
GPU_JOIN(std::int64_t)
GPU_JOIN(std::uint8_t)
GPU_JOIN(std::uint16_t)
GPU_JOIN(std::uint32_t)
GPU_JOIN(std::uint64_t)
GPU_JOIN(half)
GPU_JOIN(float)
GPU_JOIN(double)
GPU_JOIN(complex<float>)
GPU_JOIN(complex<double>)
#undef GPU_JOIN
/// @endcond

/// Each element repeated `count` times, along an axis. @throws AxisError; ShapeError if `count` is negative
/// @snippet public/create_test.cpp repeat
template <detail::HasCore A>
[[nodiscard]] auto repeat(const A& array, std::int64_t count, const JoinOptions& options = {}) {
    return Array<detail::LazyElement<A>>(detail::repeat(array.core("repeat"), count, options.axis));
}
/// The array repeated along each axis: `tile(a, {2, 1})`. More counts than axes add leading axes.
/// @snippet public/create_test.cpp repeat
template <detail::HasCore A>
[[nodiscard]] auto tile(const A& array, const Shape& counts) {
    return Array<detail::LazyElement<A>>(detail::tile(array.core("tile"), counts));
}

/// @cond internal
namespace detail {

GPU_API std::vector<ArrayCore> split(const ArrayCore& array, std::int64_t sections, int axis, bool uneven);
GPU_API std::vector<ArrayCore> split_at(const ArrayCore& array, const std::vector<std::int64_t>& places, int axis);

template <class T>
std::vector<View<T>> views_of(std::vector<ArrayCore> cores) {
    std::vector<View<T>> views;
    for (ArrayCore& core : cores) views.push_back(View<T>(std::move(core)));
    return views;
}
template <class A>
struct PieceOf {};  // the elements of the views that splitting gives
template <class T>
struct PieceOf<Array<T>> {
    using type = T;
};
template <class T>
struct PieceOf<const Array<T>> {
    using type = const T;
};
template <class T>
struct PieceOf<View<T>> {
    using type = T;
};
template <class T>
struct PieceOf<const View<T>> {
    using type = T;
};
template <class A>
using Piece = typename PieceOf<std::remove_reference_t<A>>::type;

}  // namespace detail
/// @endcond

/// Views on equal parts of an array. @throws ShapeError if they aren't equal
/// @snippet public/create_test.cpp split
template <class A>
[[nodiscard]] auto split(A&& array, std::int64_t sections, const JoinOptions& options = {}) {
    return detail::views_of<detail::Piece<A>>(detail::split(array.core("split"), sections, options.axis, false));
}
/// The same, but the first parts may be longer by one.
/// @snippet public/create_test.cpp split
template <class A>
[[nodiscard]] auto array_split(A&& array, std::int64_t sections, const JoinOptions& options = {}) {
    return detail::views_of<detail::Piece<A>>(detail::split(array.core("split"), sections, options.axis, true));
}
/// Views on the parts between these positions: `split(a, {2, 5})` gives a[0, 2), a[2, 5) and the rest.
/// @snippet public/create_test.cpp split
template <class A>
[[nodiscard]] auto split(A&& array, std::initializer_list<std::int64_t> places, const JoinOptions& options = {}) {
    return detail::views_of<detail::Piece<A>>(detail::split_at(array.core("split"), places, options.axis));
}

/// The options of roll(): `roll(x, 1, {.axis = 0})`; without an axis, it acts on the flat, row-major array.
struct RollOptions {
    OptionalAxis axis = {};
};

/// The options of diff(): `diff(x, {.n = 2, .axis = 0})`.
struct DiffOptions {
    std::int64_t n = 1;  ///< how many times differences are taken
    int axis = -1;
};

/// @cond internal
namespace detail {
GPU_API ArrayCore roll(const NodePointer& value, std::int64_t shift, OptionalAxis axis);
GPU_API ArrayCore diff(const NodePointer& value, std::int64_t n, int axis);
}  // namespace detail
/// @endcond

/// A new array with the elements moved by `shift` places; those that leave at the end reappear at the start. A negative
/// shift moves backwards. The shape stays.
/// @throws AxisError
/// @snippet public/create_test.cpp roll
template <detail::ArrayLike A>
[[nodiscard]] auto roll(const A& a, std::int64_t shift, const RollOptions& options = {}) {
    return Array<detail::LazyElement<A>>(detail::roll(detail::to_node(a), shift, options.axis));
}

/// The differences of neighbours along an axis, the later minus the earlier: one fewer than elements. For bools they
/// are true where the two differ; unsigned integers wrap around.
/// @throws AxisError; ShapeError if `n` is negative
/// @snippet public/create_test.cpp diff
template <detail::ArrayLike A>
[[nodiscard]] auto diff(const A& a, const DiffOptions& options = {}) {
    return Array<detail::LazyElement<A>>(detail::diff(detail::to_node(a), options.n, options.axis));
}

}  // namespace gpu
