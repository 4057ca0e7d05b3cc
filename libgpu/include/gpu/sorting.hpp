// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <gpu/expression.hpp>
#include <gpu/indexable.hpp>
#include <gpu/reduction_call.hpp>

/// @file
/// Sorting; searching in sorted arrays and distinct elements; cumulative sums, products and other scans; arrays of
/// values with keys.

namespace gpu {

/// The options of sort(), argsort(), topk(), partition() and argpartition(): `sort(x, {.axis = 0})`. To sort the whole
/// array, sort `x.flatten()`.
struct SortOptions {
    int axis = -1;
};

/// @cond internal
namespace detail {
GPU_API ArrayCore sort(const NodePointer& value, int axis);
GPU_API ArrayCore argsort(const NodePointer& value, int axis);
}  // namespace detail
/// @endcond

/// The elements in ascending order along an axis, as a new array; NaNs come last, as in NumPy. The sort is stable and
/// gives the same result on every device; nothing waits.
/// @throws AxisError
/// @snippet public/mask_test.cpp sort
template <detail::ArrayLike A>
[[nodiscard]] auto sort(const A& a, const SortOptions& options = {}) {
    using T = detail::LazyElement<A>;
    static_assert(!is_complex(dtype_of<T>), "complex numbers have no order: sort gpu::abs(z)");
    return Array<T>(detail::sort(detail::to_node(a), options.axis));
}

/// The positions along the axis that would sort it: for a vector, `x.take(argsort(x))` is sorted. Equal elements keep
/// their order, NaNs come last.
/// @throws AxisError
/// @snippet public/mask_test.cpp sort
template <detail::ArrayLike A>
[[nodiscard]] Array<std::int64_t> argsort(const A& a, const SortOptions& options = {}) {
    static_assert(!is_complex(dtype_of<detail::LazyElement<A>>), "complex numbers have no order: sort gpu::abs(z)");
    return Array<std::int64_t>(detail::argsort(detail::to_node(a), options.axis));
}

/// The same of an AnyArray. @throws AxisError; DTypeError for complex elements
/// @snippet public/exchange/any_array_test.cpp sorting
[[nodiscard]] inline AnyArray sort(const AnyArray& a, const SortOptions& options = {}) {
    return AnyArray(detail::sort(detail::leaf(detail::ordered(a.core("sort"), "sort")), options.axis));
}
[[nodiscard]] inline Array<std::int64_t> argsort(const AnyArray& a, const SortOptions& options = {}) {
    const detail::NodePointer node = detail::leaf(detail::ordered(a.core("argsort"), "argsort"));
    return Array<std::int64_t>(detail::argsort(node, options.axis));
}

/// The largest elements along an axis, and where they are: `auto [values, indices] = topk(x, 5);`.
template <Element T>
struct TopK {
    Array<T> values;              ///< the largest first
    Array<std::int64_t> indices;  ///< along the axis
};

/// @cond internal
namespace detail {
struct TopKCores {
    ArrayCore values, indices;
};
GPU_API TopKCores topk(const NodePointer& value, std::int64_t k, int axis);
GPU_API ArrayCore partition(const NodePointer& value, std::int64_t kth, int axis, bool positions);
}  // namespace detail
/// @endcond

/// The k largest elements along an axis, the largest first, with their positions. Of equal elements the one with the
/// lowest position comes first; NaN counts as the largest. The smallest are the first of sort() and argsort(). Of long
/// axes a GPU sorts no more than the k elements; nothing waits.
/// @throws AxisError; ShapeError if there are fewer than k elements, or k is negative
/// @snippet order/order_test.cpp topk
template <detail::ArrayLike A>
[[nodiscard]] auto topk(const A& a, std::int64_t k, const SortOptions& options = {}) {
    using T = detail::LazyElement<A>;
    static_assert(!is_complex(dtype_of<T>), "complex numbers have no order: pass gpu::abs(z)");
    detail::TopKCores made = detail::topk(detail::to_node(a), k, options.axis);
    return TopK<T>{Array<T>(std::move(made.values)), Array<std::int64_t>(std::move(made.indices))};
}

/// A copy in which the element at position `kth` along the axis is the one that sorting would put there: first come the
/// smaller elements, then those that equal it, then the larger ones, each in their order, on every device. Negative
/// positions count from the end; NaNs are the largest. Nothing waits.
/// @throws AxisError; IndexError for a position that the axis doesn't have
/// @snippet order/order_test.cpp partition
template <detail::ArrayLike A>
[[nodiscard]] auto partition(const A& a, std::int64_t kth, const SortOptions& options = {}) {
    using T = detail::LazyElement<A>;
    static_assert(!is_complex(dtype_of<T>), "complex numbers have no order: pass gpu::abs(z)");
    return Array<T>(detail::partition(detail::to_node(a), kth, options.axis, false));
}

/// The positions along the axis in the order of partition().
/// @throws AxisError; IndexError for a position that the axis doesn't have
/// @snippet order/order_test.cpp partition
template <detail::ArrayLike A>
[[nodiscard]] Array<std::int64_t> argpartition(const A& a, std::int64_t kth, const SortOptions& options = {}) {
    static_assert(!is_complex(dtype_of<detail::LazyElement<A>>), "complex numbers have no order: pass gpu::abs(z)");
    return Array<std::int64_t>(detail::partition(detail::to_node(a), kth, options.axis, true));
}

/// @cond internal
GPU_AXIS_BY_NAME(sort)
GPU_AXIS_BY_NAME(argsort)
GPU_AXIS_BEHIND(topk, "x, 3")
GPU_AXIS_BEHIND(partition, "x, 3")
GPU_AXIS_BEHIND(argpartition, "x, 3")
/// @endcond

/// Where searchsorted() puts a value among elements equal to it.
enum class Side : std::uint8_t {
    left,  ///< before them
    right  ///< after them
};

/// The options of searchsorted(): `searchsorted(x, values, {.side = gpu::Side::right})`.
struct SearchOptions {
    Side side = Side::left;
};

/// The options of digitize().
struct DigitizeOptions {
    Flag right = false;  ///< a value on an edge belongs to the bin that ends there, not to the one that starts there
};

/// The options of isin().
struct IsinOptions {
    Flag invert = false;  ///< true for elements that aren't in `test`
};

/// @cond internal
namespace detail {

/// Where values belong in a sorted vector; both are cast to `type` first.
struct SearchRequest {
    const char* name = "searchsorted";
    DType type = DType::float32;
    bool after = false;       ///< after equal elements
    bool either_way = false;  ///< the vector may descend: a value's bin, as digitize() counts
};
GPU_API ArrayCore search_sorted(const SearchRequest& request, const NodePointer& sorted, const NodePointer& values);
GPU_API ArrayCore is_in(DType type, const NodePointer& value, const NodePointer& test, bool invert);

template <class A, class B>
constexpr DType searched_as() {
    constexpr DType type = common_dtype<A, B>();
    static_assert(!is_complex(type), "complex numbers have no order: search for gpu::abs(z)");
    return comparable(type);
}
template <class A>
constexpr DType searched_as(DType list) {
    static_assert(!is_complex(dtype_of<LazyElement<A>>), "complex numbers have no order: search for gpu::abs(z)");
    return comparable(list);
}

}  // namespace detail
/// @endcond

/// The positions at which values would be inserted into a sorted vector, in the shape of `values`; with Side::left the
/// number of elements less than the value, with Side::right the number of those not greater. NaNs come last, as in
/// sort(). Nothing checks that the vector is sorted, and nothing waits.
/// @throws ShapeError unless `sorted` has one axis; DeviceError
/// @snippet order/order_test.cpp searchsorted
template <detail::ArrayLike A, detail::TakenAsOperand V>
[[nodiscard]] Array<std::int64_t> searchsorted(const A& sorted, const V& values, const SearchOptions& options = {}) {
    return Array<std::int64_t>(
        detail::search_sorted({.type = detail::searched_as<A, V>(), .after = options.side == Side::right},
                              detail::to_node(sorted), detail::to_node(values)));
}
/// The same with a list of numbers for one of the two, or with the side behind them as in NumPy.
/// @snippet order/order_test.cpp lists
template <detail::ArrayLike A>
[[nodiscard]] Array<std::int64_t> searchsorted(const A& sorted, const detail::List<A>& values,
                                               const SearchOptions& options = {}) {
    const detail::NodePointer node = detail::to_node(sorted);
    return Array<std::int64_t>(
        detail::search_sorted({.type = detail::searched_as<A>(values.type()), .after = options.side == Side::right},
                              node, values.node(node)));
}
template <detail::ArrayLike V>
[[nodiscard]] Array<std::int64_t> searchsorted(const detail::List<V>& sorted, const V& values,
                                               const SearchOptions& options = {}) {
    const detail::NodePointer node = detail::to_node(values);
    return Array<std::int64_t>(
        detail::search_sorted({.type = detail::searched_as<V>(sorted.type()), .after = options.side == Side::right},
                              sorted.node(node), node));
}
template <detail::ArrayLike A, detail::TakenAsOperand V>
[[nodiscard]] Array<std::int64_t> searchsorted(const A& sorted, const V& values, Side side) {
    return gpu::searchsorted(sorted, values, SearchOptions{.side = side});
}
template <detail::ArrayLike A>
[[nodiscard]] Array<std::int64_t> searchsorted(const A& sorted, const detail::List<A>& values, Side side) {
    return gpu::searchsorted(sorted, values, SearchOptions{.side = side});
}
template <detail::ArrayLike V>
[[nodiscard]] Array<std::int64_t> searchsorted(const detail::List<V>& sorted, const V& values, Side side) {
    return gpu::searchsorted(sorted, values, SearchOptions{.side = side});
}

/// The number of the bin that each element belongs to, in the shape of `a`: `i` where bins[i - 1] <= x < bins[i], 0
/// before the first edge, and the number of edges after the last one. The edges may also descend: then `i` where
/// bins[i - 1] > x >= bins[i]. With `.right`, the other edge belongs to a bin. NaN counts as larger than anything.
/// Nothing checks that the edges are in order, and nothing waits.
/// @throws ShapeError unless `bins` has one axis; DeviceError
/// @snippet order/order_test.cpp digitize
template <detail::ArrayLike A, detail::ArrayLike B>
[[nodiscard]] Array<std::int64_t> digitize(const A& a, const B& bins, const DigitizeOptions& options = {}) {
    return Array<std::int64_t>(detail::search_sorted(
        {.name = "digitize", .type = detail::searched_as<A, B>(), .after = !options.right, .either_way = true},
        detail::to_node(bins), detail::to_node(a)));
}
/// The same with edges in a list: `digitize(x, {0.0, 0.5, 1.0})`. @snippet order/order_test.cpp lists
template <detail::ArrayLike A>
[[nodiscard]] Array<std::int64_t> digitize(const A& a, const detail::List<A>& bins,
                                           const DigitizeOptions& options = {}) {
    const detail::NodePointer node = detail::to_node(a);
    return Array<std::int64_t>(detail::search_sorted(
        {.name = "digitize", .type = detail::searched_as<A>(bins.type()), .after = !options.right, .either_way = true},
        bins.node(node), node));
}

/// True where an element of `a` is among those of `test`, which may have any shape; NaN never is. `test` is sorted
/// first; nothing waits.
/// @throws DeviceError
/// @snippet order/order_test.cpp isin
template <detail::ArrayLike A, detail::TakenAsOperand B>
[[nodiscard]] Array<bool> isin(const A& a, const B& test, const IsinOptions& options = {}) {
    return Array<bool>(
        detail::is_in(detail::searched_as<A, B>(), detail::to_node(a), detail::to_node(test), options.invert));
}
/// The same with a list: `isin(x, {1, 2})`. @snippet order/order_test.cpp lists
template <detail::ArrayLike A>
[[nodiscard]] Array<bool> isin(const A& a, const detail::List<A>& test, const IsinOptions& options = {}) {
    const detail::NodePointer node = detail::to_node(a);
    return Array<bool>(detail::is_in(detail::searched_as<A>(test.type()), node, test.node(node), options.invert));
}

/// The options of unique() and its variants.
struct UniqueOptions {
    Flag equal_nan = true;  ///< all NaNs count as one; otherwise as different elements
};

/// The result of unique_counts(): `auto [values, counts] = unique_counts(x);`.
template <Element T>
struct UniqueCounts {
    Array<T> values;
    Array<std::int64_t> counts;  ///< how often each value occurs
};

/// The result of unique_inverse(): `values[inverse_indices]` is the array again.
template <Element T>
struct UniqueInverse {
    Array<T> values;
    Array<std::int64_t> inverse_indices;  ///< in the array's shape
};

/// The result of unique_all().
template <Element T>
struct UniqueAll {
    Array<T> values;
    Array<std::int64_t> indices;          ///< where each value occurs first in the flat, row-major array
    Array<std::int64_t> inverse_indices;  ///< in the array's shape
    Array<std::int64_t> counts;           ///< how often each value occurs
};

/// @cond internal
namespace detail {

struct UniqueRequest {
    bool equal_nan = true, indices = false, inverse = false, counts = false;
};
struct UniqueCores {
    ArrayCore values, indices, inverse, counts;
};
GPU_API UniqueCores unique(const NodePointer& value, const UniqueRequest& request);

template <class A>
UniqueCores unique(const A& a, const UniqueRequest& request) {
    static_assert(!is_complex(dtype_of<LazyElement<A>>), "complex numbers have no order: pass gpu::abs(z)");
    return unique(to_node(a), request);
}

}  // namespace detail
/// @endcond

/// The distinct elements of the flat array in ascending order; NaN, if there is one, comes last. Waits to learn how
/// many there are.
/// @snippet order/order_test.cpp unique
template <detail::ArrayLike A>
[[nodiscard]] auto unique(const A& a, const UniqueOptions& options = {}) {
    return Array<detail::LazyElement<A>>(detail::unique(a, {.equal_nan = options.equal_nan}).values);
}

/// @cond internal
template <detail::ArrayLike A, std::same_as<bool> B>
auto unique(const A& a, B) {
    static_assert(sizeof(B) == 0,
                  "what else is wanted has functions of its own: write gpu::unique_counts(x), "
                  "gpu::unique_inverse(x) or gpu::unique_all(x)");
    return gpu::unique(a);
}
/// @endcond

/// The same of an AnyArray. @throws DTypeError for complex elements
/// @snippet public/exchange/any_array_test.cpp sorting
[[nodiscard]] inline AnyArray unique(const AnyArray& a, const UniqueOptions& options = {}) {
    const detail::NodePointer node = detail::leaf(detail::ordered(a.core("unique"), "unique"));
    return AnyArray(detail::unique(node, {.equal_nan = options.equal_nan}).values);
}

/// unique() with the number of times that each element occurs. Unlike NumPy's function of this name, it counts all NaNs
/// as one element unless `.equal_nan` is false.
/// @snippet order/order_test.cpp unique
template <detail::ArrayLike A>
[[nodiscard]] auto unique_counts(const A& a, const UniqueOptions& options = {}) {
    using T = detail::LazyElement<A>;
    detail::UniqueCores made = detail::unique(a, {.equal_nan = options.equal_nan, .counts = true});
    return UniqueCounts<T>{Array<T>(std::move(made.values)), Array<std::int64_t>(std::move(made.counts))};
}

/// unique() with each element's position among the distinct ones. NaNs count as for unique_counts().
/// @snippet order/order_test.cpp unique
template <detail::ArrayLike A>
[[nodiscard]] auto unique_inverse(const A& a, const UniqueOptions& options = {}) {
    using T = detail::LazyElement<A>;
    detail::UniqueCores made = detail::unique(a, {.equal_nan = options.equal_nan, .inverse = true});
    return UniqueInverse<T>{Array<T>(std::move(made.values)), Array<std::int64_t>(std::move(made.inverse))};
}

/// unique() with all of that, and where each element occurs first. NaNs count as for unique_counts().
/// @snippet order/order_test.cpp unique
template <detail::ArrayLike A>
[[nodiscard]] auto unique_all(const A& a, const UniqueOptions& options = {}) {
    using T = detail::LazyElement<A>;
    detail::UniqueCores made =
        detail::unique(a, {.equal_nan = options.equal_nan, .indices = true, .inverse = true, .counts = true});
    return UniqueAll<T>{Array<T>(std::move(made.values)), Array<std::int64_t>(std::move(made.indices)),
                        Array<std::int64_t>(std::move(made.inverse)), Array<std::int64_t>(std::move(made.counts))};
}

/// The options of a scan: `cumsum(a, {.axis = 0})`; without an axis, it runs over the flat, row-major array and gives
/// one axis.
struct ScanOptions {
    OptionalAxis axis = {};
};

/// @cond internal
namespace detail {

GPU_API ArrayCore cumulative(const NodePointer& value, DType result, bool product, OptionalAxis axis);

}  // namespace detail
/// @endcond

/// The sum of all elements up to each one, along an axis or of the flat array. Returns at once.
///
/// Integers accumulate in 64 bits, float16 and bfloat16 in float32; `cumsum<double>(x)` names another accumulator and
/// result. Chunks of 16 elements are summed separately and then joined: the same input gives the same bits each time.
/// @throws AxisError
/// @snippet public/mask_test.cpp cumsum
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto cumsum(const A& a, const ScanOptions& options = {}) {
    using T = detail::ResultOr<R, detail::SumOf<detail::LazyElement<A>>>;
    static_assert(!std::is_same_v<T, bool>, "a sum isn't true or false: write cumsum<int>(x)");
    return Array<T>(detail::cumulative(detail::to_node(a), dtype_of<T>, false, options.axis));
}

/// The product of all elements up to each one; types as for cumsum(). The product of a chunk may overflow where a
/// running product wouldn't.
/// @throws AxisError
/// @snippet public/mask_test.cpp cumprod
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto cumprod(const A& a, const ScanOptions& options = {}) {
    using T = detail::ResultOr<R, detail::SumOf<detail::LazyElement<A>>>;
    static_assert(!std::is_same_v<T, bool>, "a product isn't true or false: write cumprod<int>(x)");
    return Array<T>(detail::cumulative(detail::to_node(a), dtype_of<T>, true, options.axis));
}

/// @cond internal
namespace detail {

/// A scan by an operation: the text of an expression over `a` and `b`.
struct ScanRequest {
    const char* name = "scan";
    std::string operation = {};
    DType result = DType::float32;
    NodePointer init = {};  ///< exclusive_scan()'s first value; null: the scan is inclusive
};
GPU_API ArrayCore scan_by(const ScanRequest& request, const NodePointer& value, OptionalAxis axis);

template <class R, class A>
using ScanOf = ResultOr<R, SumOf<LazyElement<A>>>;

inline constexpr const char *running_maximum = "a > b || a != a ? a : b", *running_minimum = "a < b || a != a ? a : b";

}  // namespace detail
/// @endcond

/// All elements up to each one combined by an operation, along an axis or of the flat array: `scan(x, "a * b")`.
///
/// The operation is an expression in CUDA C++ over `a`, what came before, and `b`. It must be associative, but needn't
/// be commutative. `a` and `b` have the types of cumsum(): 64 bits for integers, float for the
/// floats of 16; `scan<int>(x, ...)` names another type for them and for the result. Chunks of 16 elements are combined
/// separately and then joined: the same input gives the same bits on every run. Returns at once.
/// @throws AxisError; CompileError if the operation doesn't compile; Error if it is empty or ends with ;
/// @snippet order/order_test.cpp scan
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto scan(const A& a, const std::string& operation, const ScanOptions& options = {}) {
    using T = detail::ScanOf<R, A>;
    static_assert(detail::holds<T, A>, "a scan of complex numbers is complex: name a complex type");
    return Array<T>(detail::scan_by({.operation = operation, .result = dtype_of<T>}, detail::to_node(a), options.axis));
}

/// The same without the element itself: first `init`, then `init` combined with all elements before each one.
/// `exclusive_scan(x, "a + b", 0)` gives the offsets at which parts of these lengths start.
/// @throws AxisError; CompileError if the operation doesn't compile; Error if it is empty or ends with ; DTypeError for
///     an `init` out of an integer type's range
/// @snippet order/order_test.cpp scan
template <class R = void, detail::ArrayLike A>
[[nodiscard]] auto exclusive_scan(const A& a, const std::string& operation,
                                  std::type_identity_t<detail::ScanOf<R, A>> init, const ScanOptions& options = {}) {
    using T = detail::ScanOf<R, A>;
    static_assert(detail::holds<T, A>, "a scan of complex numbers is complex: name a complex type");
    return Array<T>(detail::scan_by(
        {.name = "exclusive_scan", .operation = operation, .result = dtype_of<T>, .init = detail::to_node(init)},
        detail::to_node(a), options.axis));
}
template <class R = void, detail::ArrayLike A, Arithmetic S>
    requires(!std::is_same_v<S, detail::ScanOf<R, A>>)
[[nodiscard]] auto exclusive_scan(const A& a, const std::string& operation, S init, const ScanOptions& options = {}) {
    using T = detail::ScanOf<R, A>;
    static_assert(detail::holds<T, A>, "a scan of complex numbers is complex: name a complex type");
    return Array<T>(detail::scan_by({.name = "exclusive_scan",
                                     .operation = operation,
                                     .result = dtype_of<T>,
                                     .init = detail::element_node<T>(init, "exclusive_scan")},
                                    detail::to_node(a), options.axis));
}

/// The largest element up to each one, along an axis or of the flat array; from the first NaN on it is NaN.
/// @throws AxisError
/// @snippet order/order_test.cpp cummax
template <detail::Ordered A>
[[nodiscard]] auto cummax(const A& a, const ScanOptions& options = {}) {
    using T = detail::LazyElement<A>;
    return Array<T>(detail::scan_by({.name = "cummax", .operation = detail::running_maximum, .result = dtype_of<T>},
                                    detail::to_node(a), options.axis));
}

/// The smallest element up to each one; otherwise like cummax().
/// @throws AxisError
/// @snippet order/order_test.cpp cummax
template <detail::Ordered A>
[[nodiscard]] auto cummin(const A& a, const ScanOptions& options = {}) {
    using T = detail::LazyElement<A>;
    return Array<T>(detail::scan_by({.name = "cummin", .operation = detail::running_minimum, .result = dtype_of<T>},
                                    detail::to_node(a), options.axis));
}

/// Keys and what belongs to them: `auto [keys, values] = sort_by_key(k, v);`.
template <Element K, Element V>
struct KeyedArrays {
    Array<K> keys;
    Array<V> values;  ///< as many along the first axis as there are keys
};

/// @cond internal
namespace detail {

struct KeyedCores {
    ArrayCore keys, values;
};
GPU_API KeyedCores sort_by_key(const NodePointer& keys, const NodePointer& values);
GPU_API KeyedCores reduce_by_key(const ScanRequest& request, const NodePointer& keys, const NodePointer& values);
GPU_API ArrayCore scan_by_key(const ScanRequest& request, const NodePointer& keys, const NodePointer& values);

}  // namespace detail
/// @endcond

/// A vector of keys in ascending order, and the values, one per key along the first axis, in the same order. Values of
/// equal keys keep their order, NaNs come last; nothing waits.
/// @throws ShapeError unless there are as many values as keys; DeviceError
/// @snippet order/order_test.cpp by_key
template <detail::ArrayLike K, detail::ArrayLike V>
[[nodiscard]] auto sort_by_key(const K& keys, const V& values) {
    using Key = detail::LazyElement<K>;
    using Value = detail::LazyElement<V>;
    static_assert(!is_complex(dtype_of<Key>), "complex numbers have no order: sort by gpu::abs(z)");
    detail::KeyedCores made = detail::sort_by_key(detail::to_node(keys), detail::to_node(values));
    return KeyedArrays<Key, Value>{Array<Key>(std::move(made.keys)), Array<Value>(std::move(made.values))};
}

/// The sum of the values of each run of equal, consecutive keys, with the keys; another operation, as for scan(), may
/// replace the sum. A key that occurs again later starts another run: to have each key once, sort_by_key() first. A NaN
/// equals nothing, so it is a run by itself. Values are combined along their first axis, with the types and in the
/// order of scan(). Waits to learn how many runs there are.
/// @throws ShapeError unless `keys` is a vector with one key per value; DeviceError; CompileError and Error as scan()
/// @snippet order/order_test.cpp by_key
template <class R = void, detail::ArrayLike K, detail::ArrayLike V>
[[nodiscard]] auto reduce_by_key(const K& keys, const V& values, const std::string& operation = "a + b") {
    using Key = detail::LazyElement<K>;
    using T = detail::ScanOf<R, V>;
    static_assert(detail::holds<T, V>, "what is made of complex numbers is complex: name a complex type");
    detail::KeyedCores made =
        detail::reduce_by_key({.name = "reduce_by_key", .operation = operation, .result = dtype_of<T>},
                              detail::to_node(keys), detail::to_node(values));
    return KeyedArrays<Key, T>{Array<Key>(std::move(made.keys)), Array<T>(std::move(made.values))};
}

/// The scan of each run of equal, consecutive keys by itself, along the first axis of the values: cumulative sums
/// unless another operation is named, as for scan(). Nothing waits.
/// @throws ShapeError unless `keys` is a vector with one key per value; DeviceError; CompileError and Error as scan()
/// @snippet order/order_test.cpp by_key
template <class R = void, detail::ArrayLike K, detail::ArrayLike V>
[[nodiscard]] auto scan_by_key(const K& keys, const V& values, const std::string& operation = "a + b") {
    using T = detail::ScanOf<R, V>;
    static_assert(detail::holds<T, V>, "a scan of complex numbers is complex: name a complex type");
    return Array<T>(detail::scan_by_key({.name = "scan_by_key", .operation = operation, .result = dtype_of<T>},
                                        detail::to_node(keys), detail::to_node(values)));
}

/// @cond internal
GPU_AXIS_BY_NAME(cumsum)
GPU_AXIS_BY_NAME(cumprod)
GPU_AXIS_BY_NAME(cummax)
GPU_AXIS_BY_NAME(cummin)
/// @endcond

}  // namespace gpu
