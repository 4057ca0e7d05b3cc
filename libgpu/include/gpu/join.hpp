// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gpu/create.hpp>
#include <gpu/expression.hpp>
#include <gpu/indexable.hpp>

/// @file
/// Joining arrays: concatenate, stack, hstack, vstack; repeating: repeat, tile; splitting into views; adding elements
/// around an array: pad(); and neighbours along an axis: roll(), diff() and gradient().

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

/// @cond internal
#define GPU_PARTS_IN_BRACES(function)                                                                          \
    template <detail::ArrayLike A, detail::ArrayLike B, class... More>                                         \
    Array<detail::LazyElement<A>> function(const A&, const B&, const More&...) {                               \
        static_assert(sizeof(A) == 0, "arrays are joined in braces: write gpu::" #function "<float>({x, y})"); \
        return {};                                                                                             \
    }
GPU_PARTS_IN_BRACES(concatenate)
GPU_PARTS_IN_BRACES(stack)
GPU_PARTS_IN_BRACES(hstack)
GPU_PARTS_IN_BRACES(vstack)
#undef GPU_PARTS_IN_BRACES
/// @endcond

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
// All types of elements.
#define GPU_EACH_ELEMENT(F)                                                                                          \
    F(bool) F(std::int8_t) F(std::int16_t) F(std::int32_t) F(std::int64_t) F(std::uint8_t) F(std::uint16_t)          \
    F(std::uint32_t) F(std::uint64_t) F(half) F(bfloat16) F(float) F(double) F(complex<float>) F(complex<double>)
// For parts of one element type: overloads rather than one template, since nothing is deduced from arrays in braces.
#define GPU_JOIN(T)                                                                                                    \
    [[nodiscard]] GPU_API Array<T> concatenate(std::initializer_list<detail::Part<T>> parts, const JoinOptions& = {}); \
    [[nodiscard]] GPU_API Array<T> stack(std::initializer_list<detail::Part<T>> parts, const JoinOptions& = {});       \
    [[nodiscard]] GPU_API Array<T> hstack(std::initializer_list<detail::Part<T>> parts);                               \
    [[nodiscard]] GPU_API Array<T> vstack(std::initializer_list<detail::Part<T>> parts);
GPU_EACH_ELEMENT(GPU_JOIN)
#undef GPU_JOIN
/// @endcond

/// Each element repeated `count` times, along an axis. @throws AxisError; ShapeError if `count` is negative
/// @snippet public/create_test.cpp repeat
template <detail::ArrayLike A>
[[nodiscard]] auto repeat(const A& array, std::int64_t count, const JoinOptions& options = {}) {
    return Array<detail::LazyElement<A>>(detail::repeat(detail::core_of(array, "repeat"), count, options.axis));
}
/// The array repeated along each axis: `tile(a, {2, 1})`. More counts than axes add leading axes.
/// @snippet public/create_test.cpp repeat
template <detail::ArrayLike A>
[[nodiscard]] auto tile(const A& array, const Shape& counts) {
    return Array<detail::LazyElement<A>>(detail::tile(detail::core_of(array, "tile"), counts));
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
struct PieceOf {  // the elements of the views that splitting gives; those on a new array may be written
    using type = LazyElement<std::remove_const_t<A>>;
};
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

/// Views on equal parts of an array, or of the one that an expression becomes. @throws ShapeError if they aren't equal
/// @snippet public/create_test.cpp split
template <class A>
[[nodiscard]] auto split(A&& array, std::int64_t sections, const JoinOptions& options = {}) {
    return detail::views_of<detail::Piece<A>>(
        detail::split(detail::core_of(array, "split"), sections, options.axis, false));
}
/// The same, but the first parts may be longer by one.
/// @snippet public/create_test.cpp split
template <class A>
[[nodiscard]] auto array_split(A&& array, std::int64_t sections, const JoinOptions& options = {}) {
    return detail::views_of<detail::Piece<A>>(
        detail::split(detail::core_of(array, "split"), sections, options.axis, true));
}
/// Views on the parts between these positions: `split(a, {2, 5})` gives a[0, 2), a[2, 5) and the rest.
/// @snippet public/create_test.cpp split
template <class A>
[[nodiscard]] auto split(A&& array, std::initializer_list<std::int64_t> places, const JoinOptions& options = {}) {
    return detail::views_of<detail::Piece<A>>(detail::split_at(detail::core_of(array, "split"), places, options.axis));
}

/// @cond internal
GPU_AXIS_BEHIND(repeat, "x, 2")
GPU_AXIS_BEHIND(split, "x, 2")
GPU_AXIS_BEHIND(array_split, "x, 2")
GPU_AXIS_BEHIND(roll, "x, 1")
#define GPU_JOINED_AXIS(function)                                                                                \
    template <class T = void, std::integral I>                                                                   \
    Array<detail::Held<T>> function(std::initializer_list<detail::AnyPart>, I) {                                 \
        static_assert(sizeof(I) == 0, "an axis is named: write gpu::" #function "<float>({x, y}, {.axis = 1})"); \
        return {};                                                                                               \
    }
GPU_JOINED_AXIS(concatenate)
GPU_JOINED_AXIS(stack)
#undef GPU_JOINED_AXIS
/// @endcond

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
/// The same with NumPy's second argument, how many times: `diff(x, 2)`. @snippet public/create_test.cpp diff
template <detail::ArrayLike A, std::integral N>
[[nodiscard]] auto diff(const A& a, N n) {
    return gpu::diff(a, DiffOptions{.n = static_cast<std::int64_t>(n)});
}

/// The options of gradient() along one axis: `gradient(f, {.axis = 0, .spacing = 0.1})`.
struct GradientOptions {
    int axis = -1;
    double spacing = 1;  ///< the distance between neighbours
};

/// Several axes for gradient(): `gradient(f, {.axes = {0, 1}, .spacing = {0.1, 0.5}})`.
struct GradientAxes {
    Axes axes = {};                    ///< all of them unless some are named
    std::vector<double> spacing = {};  ///< one distance for all axes, or one for each; 1 if there is none
};

/// @cond internal
namespace detail {
GPU_API ArrayCore gradient(DType result, const NodePointer& value, const GradientOptions& options);
GPU_API ArrayCore gradient_at(DType result, const NodePointer& value, const NodePointer& places, int axis);
GPU_API std::vector<ArrayCore> gradients(DType result, const NodePointer& value, const GradientAxes& options);
}  // namespace detail
/// @endcond

/// The derivative along an axis: the difference of both neighbours divided by their distance, and at the two ends the
/// difference to the only neighbour (NumPy's `edge_order=1`). Integers are converted to double first.
/// @throws AxisError; ShapeError for fewer than 2 elements along the axis
/// @snippet functions/shape_test.cpp gradient
template <detail::ArrayLike A>
[[nodiscard]] auto gradient(const A& f, const GradientOptions& options = {}) {
    using T = detail::Floating<detail::LazyElement<A>>;
    return Array<T>(detail::gradient(dtype_of<T>, detail::to_node(f), options));
}
/// The same with the distance between neighbours: `gradient(f, 0.1)`. @snippet functions/shape_test.cpp gradient
template <detail::ArrayLike A, class S>
    requires std::is_arithmetic_v<S>
[[nodiscard]] auto gradient(const A& f, S spacing) {
    return gpu::gradient(f, GradientOptions{.spacing = static_cast<double>(spacing)});
}
/// The same for values at the given coordinates, a vector: `gradient(f, x, {.axis = 0})`. The spacing may vary; it
/// isn't an option then. The formula is of second order inside.
/// @throws AxisError; ShapeError for fewer than 2 elements along the axis, or unless there are as many coordinates
/// @snippet functions/shape_test.cpp gradient_at
template <detail::ArrayLike A, detail::Lazy X>
[[nodiscard]] auto gradient(const A& f, const X& coordinates, const JoinOptions& options = {.axis = -1}) {
    using T = detail::Floating<detail::LazyElement<A>>;
    static_assert(!is_complex(dtype_of<detail::LazyElement<X>>), "coordinates are real numbers");
    return Array<T>(detail::gradient_at(dtype_of<T>, detail::to_node(f), detail::to_node(coordinates), options.axis));
}
/// The derivatives along several axes, in their order: `gradient(f, {.axes = {0, 1}})`. @throws as gradient()
/// @snippet functions/shape_test.cpp gradient
template <detail::ArrayLike A>
[[nodiscard]] auto gradient(const A& f, const GradientAxes& options) {
    using T = detail::Floating<detail::LazyElement<A>>;
    std::vector<Array<T>> derivatives;
    for (detail::ArrayCore& core : detail::gradients(dtype_of<T>, detail::to_node(f), options))
        derivatives.emplace_back(std::move(core));
    return derivatives;
}

/// What pad() puts around an array; the examples add two elements on either side of `1 2 3`.
enum class PadMode : std::uint8_t {
    constant,   ///< a number: `0 0 | 1 2 3 | 0 0`
    edge,       ///< the nearest element: `1 1 | 1 2 3 | 3 3`
    reflect,    ///< the array mirrored at its last element, which occurs once: `3 2 | 1 2 3 | 2 1`
    symmetric,  ///< the array mirrored beyond its last element: `2 1 | 1 2 3 | 3 2`
    wrap,       ///< the array again: `2 3 | 1 2 3 | 1 2`
    empty,      ///< nothing: the new elements are uninitialised
};

/// The options of pad(): `pad(x, 1, {.mode = gpu::PadMode::edge})`.
struct PadOptions {
    PadMode mode = PadMode::constant;
    complex<double> value = 0;  ///< with PadMode::constant
};

/// How many elements pad() adds in front of an axis and behind it.
struct PadWidth {
    std::int64_t before = 0, after = 0;
};

/// The widths of pad(): `2` on every side, `{1, 2}` in front of and behind every axis, or a pair for each axis:
/// `{{1, 2}, {0, 3}}`.
class GPU_API PadWidths {
public:
    PadWidths(std::int64_t width) { add({width, width}); }                        // NOLINT: pad(x, 2)
    PadWidths(std::int64_t before, std::int64_t after) { add({before, after}); }  // pad(x, {1, 2})
    PadWidths(std::initializer_list<PadWidth> pairs) {                            // pad(x, {{1, 2}, {0, 3}})
        for (const PadWidth& pair : pairs) add(pair);
    }
    /// From pairs that are computed at run time.
    explicit PadWidths(std::span<const PadWidth> pairs) {
        for (const PadWidth& pair : pairs) add(pair);
    }

    /// @cond internal
    [[nodiscard]] int count() const noexcept { return count_; }
    [[nodiscard]] const PadWidth& operator[](int k) const noexcept { return pairs_[k]; }
    /// @endcond

private:
    void add(const PadWidth& pair);
    PadWidth pairs_[max_rank] = {};
    int count_ = 0;
};

/// @cond internal
namespace detail {
GPU_API ArrayCore pad(const NodePointer& value, const PadWidths& widths, const PadOptions& options);
}  // namespace detail
/// @endcond

/// A larger copy of an array, with elements added in front of and behind each axis. NumPy's modes except linear_ramp,
/// maximum, mean, median and minimum. Widths may exceed the array's length: mirrored and wrapped arrays repeat.
/// @throws ShapeError for a negative width, for a number of pairs other than that of the axes, or to extend an axis
///     without elements in a mode that needs some; DTypeError for a value that the elements' type doesn't hold
/// @snippet functions/shape_test.cpp pad
template <detail::ArrayLike A>
[[nodiscard]] auto pad(const A& a, const PadWidths& widths, const PadOptions& options = {}) {
    return Array<detail::LazyElement<A>>(detail::pad(detail::to_node(a), widths, options));
}
/// The same with the mode as a third argument: `pad(x, 1, gpu::PadMode::edge)`. @snippet functions/shape_test.cpp pad
template <detail::ArrayLike A>
[[nodiscard]] auto pad(const A& a, const PadWidths& widths, PadMode mode) {
    return gpu::pad(a, widths, PadOptions{.mode = mode});
}

/// Read-only views on arrays, each broadcast to the shape of all: `auto [u, v] = gpu::broadcast_arrays(x, y);`. Nothing
/// is copied. @throws ShapeError
/// @snippet functions/shape_test.cpp broadcast_arrays
template <detail::HasCore... A>
    requires(sizeof...(A) > 0)
[[nodiscard]] auto broadcast_arrays(const A&... arrays) {
    Shape shape;
    ((shape = gpu::broadcast(shape, arrays.shape())), ...);
    return std::tuple<View<const detail::LazyElement<A>>...>(arrays.broadcast_to(shape)...);
}

}  // namespace gpu

// NumPy's functions of an array's shape, for those who call them as functions: each is the member of the same name, and
// so gives a view of an array's elements, or an array where the argument is an expression.
namespace gpu {

/// @cond internal
namespace detail {
template <class A>
concept Reshapable = Lazy<std::remove_cvref_t<A>>;
}  // namespace detail
/// @endcond

/// The axes in reverse order, or in the given one: `x.transpose({2, 0, 1})`.
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto transpose(A&& x) {
    return std::forward<A>(x).transpose();
}
template <detail::Reshapable A>
[[nodiscard]] auto transpose(A&& x, std::initializer_list<int> axes) {
    return std::forward<A>(x).transpose(axes);
}
/// `x.reshape(shape)`, where one length may be -1. @throws ShapeError if the number of elements would differ
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto reshape(A&& x, const TargetShape& shape) {
    return std::forward<A>(x).reshape(shape);
}
/// All elements along one axis, row by row. @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto ravel(A&& x) {
    return std::forward<A>(x).ravel();
}
/// Without the axes of length 1, or without the named ones. @throws AxisError, ShapeError
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto squeeze(A&& x) {
    return std::forward<A>(x).squeeze();
}
template <detail::Reshapable A>
[[nodiscard]] auto squeeze(A&& x, std::initializer_list<int> axes) {
    return std::forward<A>(x).squeeze(axes);
}
/// With a new axis of length 1 at this place. @throws AxisError
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto expand_dims(A&& x, int axis) {
    return std::forward<A>(x).expand_dims(axis);
}
/// Two axes exchanged. @throws AxisError
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto swapaxes(A&& x, int axis1, int axis2) {
    return std::forward<A>(x).swapaxes(axis1, axis2);
}
/// One axis moved to another place. @throws AxisError
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto moveaxis(A&& x, int from, int to) {
    return std::forward<A>(x).moveaxis(from, to);
}
/// All axes backwards, or the named ones: `gpu::flip(gpu::sort(v))` is in descending order. @throws AxisError
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto flip(A&& x) {
    return std::forward<A>(x).flip();
}
template <detail::Reshapable A>
[[nodiscard]] auto flip(A&& x, std::initializer_list<int> axes) {
    return std::forward<A>(x).flip(axes);
}
/// Rotated by 90 degrees, `times` times. @throws AxisError
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto rot90(A&& x, int times = 1, int axis1 = 0, int axis2 = 1) {
    return std::forward<A>(x).rot90(times, axis1, axis2);
}
/// Repeated to this shape, without a copy. @throws ShapeError
/// @snippet functions/shape_functions_test.cpp functions
template <detail::Reshapable A>
[[nodiscard]] auto broadcast_to(A&& x, const Shape& shape) {
    return std::forward<A>(x).broadcast_to(shape);
}

}  // namespace gpu
