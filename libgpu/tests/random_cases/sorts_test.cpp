// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <numeric>

#include "launch/order/radix_sort.hpp"
#include "launch/order/selection.hpp"
#include "random_cases/cases.hpp"

// Random sorts beside std::stable_sort in NumPy's order.

namespace {

using namespace random_cases;
using Positions = std::vector<std::int64_t>;

/// The order of a line's elements: of equal ones the first comes first.
template <class E>
Positions order_of(const E* from, const LinesAlong& lines, std::int64_t number, bool descending = false) {
    Positions order(static_cast<std::size_t>(lines.n));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        const E &x = from[lines.at(number, a)], &y = from[lines.at(number, b)];
        return descending ? goes_before(y, x) : goes_before(x, y);
    });
    return order;
}

template <class T>
struct Sorted {
    std::vector<Held<T>> values;
    Positions positions;
};

/// The first `k` of each line in that order, as dense arrays.
template <class T>
Sorted<T> sorted_reference(const std::vector<Held<T>>& values, const gpu::Shape& shape, int axis, std::int64_t k,
                           bool descending = false) {
    gpu::Shape kept = shape;
    kept[axis] = k;
    const LinesAlong lines(shape, axis), made_lines(kept, axis);
    Sorted<T> made;
    made.values.resize(static_cast<std::size_t>(kept.size()));
    made.positions.resize(made.values.size());
    for (std::int64_t line = 0; line < lines.count; ++line) {
        const Positions order = order_of(values.data(), lines, line, descending);
        for (std::int64_t j = 0; j < k; ++j) {
            const std::int64_t from = order[static_cast<std::size_t>(j)];
            made.positions[made_lines.at(line, j)] = from;
            made.values[made_lines.at(line, j)] = values[lines.at(line, from)];
        }
    }
    return made;
}

/// What parting at `kth` gives: the smaller elements, those that equal it, the larger ones, each in their order.
template <class T>
Sorted<T> parted_reference(const std::vector<Held<T>>& values, const gpu::Shape& shape, int axis, std::int64_t kth) {
    const LinesAlong lines(shape, axis);
    Sorted<T> made;
    made.values.resize(values.size());
    made.positions.resize(values.size());
    for (std::int64_t line = 0; line < lines.count; ++line) {
        const std::int64_t place = order_of(values.data(), lines, line)[static_cast<std::size_t>(kth)];
        const Held<T> middle = values[lines.at(line, place)];
        const auto part = [&](std::int64_t k) {
            const Held<T>& value = values[lines.at(line, k)];
            return goes_before(value, middle) ? 0 : goes_before(middle, value) ? 2 : 1;
        };
        std::int64_t to = 0;
        for (const int wanted : {0, 1, 2}) {
            for (std::int64_t k = 0; k < lines.n; ++k) {
                if (part(k) != wanted) continue;
                made.positions[lines.at(line, to)] = k;
                made.values[lines.at(line, to++)] = values[lines.at(line, k)];
            }
        }
    }
    return made;
}

template <class T>
std::string sort_of(Case& one) {
    const int way = one.plan.below(5), rank = 1 + one.plan.below(4), axis = one.plan.below(rank);
    const char* const names[] = {"sort", "argsort", "topk", "partition", "argpartition"};
    const gpu::Shape shape = drawn_shape(one, rank, axis);
    const Input<T> x = drawn_input<T>(shape, one);
    const int written = written_axis(one.draw, axis, rank);
    one.text = std::string(names[way]) + " along axis " + std::to_string(written) + ": " + x.text;
    const std::int64_t n = shape[axis];
    if (way == 2) {
        const std::int64_t k = one.draw.chance(30) ? n : one.draw.between(0, std::min<std::int64_t>(n, 300));
        one.text += ", k = " + std::to_string(k);
        gpu::Shape kept = shape;
        kept[axis] = k;
        const gpu::detail::TopKCores got = gpu::detail::topk(x.node(), k, written);
        const Sorted<T> want = sorted_reference<T>(x.values, shape, axis, k, true);
        std::string problem = problem_of_bits<T>(got.values, kept, want.values);
        return !problem.empty() ? problem : problem_of_bits<std::int64_t>(got.indices, kept, want.positions);
    }
    if (way > 2 && n > 0) {
        const std::int64_t kth = one.draw.between(0, n - 1), given = one.draw.chance(30) ? kth - n : kth;
        one.text += ", kth = " + std::to_string(given);
        const ArrayCore got = gpu::detail::partition(x.node(), given, written, way == 4);
        const Sorted<T> want = parted_reference<T>(x.values, shape, axis, kth);
        return way == 4 ? problem_of_bits<std::int64_t>(got, shape, want.positions)
                        : problem_of_bits<T>(got, shape, want.values);
    }
    const Sorted<T> want = sorted_reference<T>(x.values, shape, axis, n);
    if (way == 1)
        return problem_of_bits<std::int64_t>(gpu::detail::argsort(x.node(), written), shape, want.positions);
    return problem_of_bits<T>(gpu::detail::sort(x.node(), written), shape, want.values);
}

// Complex types come last, and have no order.
DType ordered_type(Random& plan) { return static_cast<DType>(plan.below(gpu::detail::dtype_count - 2)); }
DType any_type(Random& plan) { return static_cast<DType>(plan.below(gpu::detail::dtype_count)); }

/// Calls f<T>() with the C++ type of a dtype that has an order.
template <class F>
std::string with_ordered_type(DType type, F f) {
    return property::with_type(type, [&]<class T>(property::Type<T>) -> std::string {
        if constexpr (is_complex_type<T>) return "a complex type has no order";
        else return f(property::Type<T>{});
    });
}

std::string sort_call(Case& one) {
    return with_ordered_type(ordered_type(one.plan), [&]<class T>(property::Type<T>) { return sort_of<T>(one); });
}

/// Values of any type, of one axis or more, in the order of their keys.
template <class K>
std::string sort_by_key_of(Case& one) {
    const DType of_values = any_type(one.plan);
    const gpu::Shape shape = drawn_shape(one, 1 + one.plan.below(3), 0), length{shape[0]};
    const Input<K> keys = drawn_input<K>(length, one);
    return property::with_type(of_values, [&]<class V>(property::Type<V>) -> std::string {
        const Input<V> values = drawn_input<V>(shape, one);
        one.text = "sort_by_key, keys " + keys.text + ", values " + values.text;
        const gpu::detail::KeyedCores got = gpu::detail::sort_by_key(keys.node(), values.node());
        const Sorted<K> want = sorted_reference<K>(keys.values, length, 0, length[0]);
        std::string problem = problem_of_bits<K>(got.keys, length, want.values);
        if (!problem.empty()) return "keys: " + problem;
        std::vector<Held<V>> moved;
        const std::size_t row = values.values.size() / std::max<std::size_t>(want.positions.size(), 1);
        for (const std::int64_t from : want.positions) {
            const auto begin = values.values.begin() + from * static_cast<std::int64_t>(row);
            moved.insert(moved.end(), begin, begin + static_cast<std::int64_t>(row));
        }
        return problem_of_bits<V>(got.values, shape, moved);
    });
}

std::string sort_by_key_call(Case& one) {
    return with_ordered_type(ordered_type(one.plan),
                             [&]<class K>(property::Type<K>) { return sort_by_key_of<K>(one); });
}

/// Distinct elements, where each is first, which each element is, and how often there is one.
template <class T>
std::string unique_of(Case& one) {
    const int rank = one.plan.below(4);
    const bool equal_nan = one.plan.chance(70);
    const gpu::Shape shape = rank == 0 ? gpu::Shape{} : drawn_shape(one, rank, one.plan.below(rank));
    const Input<T> x = drawn_input<T>(shape, one);
    one.text = std::string("unique_all, equal_nan ") + (equal_nan ? "true: " : "false: ") + x.text;
    const gpu::Shape flat{shape.size()};
    const Sorted<T> sorted = sorted_reference<T>(x.values, flat, 0, flat[0]);
    Sorted<T> distinct;
    Positions counts, inverse(x.values.size());
    for (std::size_t k = 0; k < sorted.values.size(); ++k) {
        const Held<T>& value = sorted.values[k];
        const bool is_again = k > 0 && !goes_before(sorted.values[k - 1], value) && (equal_nan || !is_nan(value));
        if (!is_again) {
            distinct.values.push_back(value);
            distinct.positions.push_back(sorted.positions[k]);
            counts.push_back(0);
        }
        ++counts.back();
        inverse[static_cast<std::size_t>(sorted.positions[k])] = static_cast<std::int64_t>(counts.size()) - 1;
    }
    const gpu::detail::UniqueCores got = gpu::detail::unique(
        x.node(), {.equal_nan = equal_nan, .indices = true, .inverse = true, .counts = true});
    const gpu::Shape found{static_cast<std::int64_t>(counts.size())};
    std::string problem = problem_of_bits<T>(got.values, found, distinct.values);
    if (problem.empty()) problem = problem_of_bits<std::int64_t>(got.indices, found, distinct.positions);
    if (problem.empty()) problem = problem_of_bits<std::int64_t>(got.counts, found, counts);
    return problem.empty() ? problem_of_bits<std::int64_t>(got.inverse, shape, inverse) : problem;
}

std::string unique_call(Case& one) {
    return with_ordered_type(ordered_type(one.plan), [&]<class T>(property::Type<T>) { return unique_of<T>(one); });
}

/// A GPU's kernels, and those of threads that share nothing, on any device: in tiles so small that lines have several.
template <class T>
std::string small_tiles_of(Case& one) {
    constexpr gpu::detail::RadixTile small{.threads = 256, .items = 2};
    const bool wide = one.plan.chance(30), in_chunks = one.plan.chance(30);
    const std::int64_t n = std::max<std::int64_t>(drawn_length(one.draw, 4000), 1);
    const std::int64_t lines = one.draw.between(1, std::max<std::int64_t>(4000 / n, 1));
    const auto data = static_cast<Data>(one.draw.below(data_count));
    const int chunks = 1 + one.draw.below(9);
    const gpu::Shape shape{lines, n};
    const std::vector<Held<T>> values = drawn_bits<T>(data, shape.size(), one.draw);
    one.elements += shape.size();
    one.text = std::string(in_chunks ? "chunks " + std::to_string(chunks) : "tiles") + (wide ? ", wide, " : ", ") +
               std::string(gpu::name(gpu::dtype_of<T>)) + ' ' + gpu::to_string(shape) + ", " + name_of(data);
    const ArrayCore x =
        gpu::detail::to_device(gpu::dtype_of<T>, shape, values.data(), values.size(), gpu::Layout::row_major);
    const Sorted<T> want = sorted_reference<T>(values, shape, 1, n);
    for (const int results : {1, 2, 3}) {
        const bool keys = results % 2 == 1, positions = results > 1;
        const gpu::detail::SortedLines got =
            in_chunks ? gpu::detail::chunk_sorted(x, keys, positions, {.count = chunks, .wide = wide})
                      : gpu::detail::radix_sorted(x, keys, positions,
                                                  {.counts = {.threads = 256, .items = 1},
                                                   .pass = small,
                                                   .lines = small,
                                                   .wide = wide});
        std::string problem = keys ? problem_of_bits<T>(got.keys, shape, want.values) : std::string();
        if (problem.empty() && positions)
            problem = problem_of_bits<std::int64_t>(got.positions, shape, want.positions);
        if (!problem.empty()) return (keys ? "keys, " : "positions alone, ") + problem;
    }
    return {};
}

/// The kernels that select the largest elements, in small tiles on any device.
template <class T>
std::string selection_of(Case& one) {
    const std::int64_t n = std::max<std::int64_t>(drawn_length(one.draw, 6000), 1);
    const std::int64_t lines = one.draw.between(1, std::max<std::int64_t>(6000 / n, 1));
    const std::int64_t k = one.draw.chance(20) ? n : one.draw.between(1, std::min<std::int64_t>(n, 400));
    const auto data = static_cast<Data>(one.draw.below(data_count));
    const gpu::Shape shape{lines, n}, kept{lines, k};
    const std::vector<Held<T>> values = drawn_bits<T>(data, shape.size(), one.draw);
    one.elements += shape.size();
    one.text = "the largest " + std::to_string(k) + " of " + std::string(gpu::name(gpu::dtype_of<T>)) + ' ' +
               gpu::to_string(shape) + ", " + name_of(data);
    const ArrayCore x =
        gpu::detail::to_device(gpu::dtype_of<T>, shape, values.data(), values.size(), gpu::Layout::row_major);
    const gpu::detail::SortedLines got = gpu::detail::largest_selected(x, k, {.items = one.plan.chance(70) ? 2 : 16});
    const Sorted<T> want = sorted_reference<T>(values, shape, 1, k, true);
    std::string problem = problem_of_bits<T>(got.keys, kept, want.values);
    if (problem.empty()) problem = problem_of_bits<std::int64_t>(got.positions, kept, want.positions);
    if (!problem.empty()) return problem;
    const bool by_blocks = one.plan.chance(70);
    const gpu::detail::PartWay way{
        .by_blocks = by_blocks, .selects = by_blocks && one.plan.chance(60), .tile = {.items = 1 << one.plan.below(5)}};
    const std::int64_t kth = one.draw.between(0, n - 1);
    const Sorted<T> parts = parted_reference<T>(values, shape, 1, kth);
    one.text += ", parted at " + std::to_string(kth) + (way.selects ? " by counts" : by_blocks ? " by blocks" : "");
    problem = problem_of_bits<T>(gpu::detail::parted(x, kth, false, way), shape, parts.values);
    return !problem.empty()
               ? problem
               : problem_of_bits<std::int64_t>(gpu::detail::parted(x, kth, true, way), shape, parts.positions);
}

std::string selection_call(Case& one) {
    return with_ordered_type(ordered_type(one.plan), [&]<class T>(property::Type<T>) { return selection_of<T>(one); });
}

std::string small_tiles_call(Case& one) {
    return with_ordered_type(ordered_type(one.plan),
                             [&]<class T>(property::Type<T>) { return small_tiles_of<T>(one); });
}

}  // namespace

TEST_CASE("random sorts, arguments of sorts, largest elements and partitions") { check_cases("sorts", sort_call); }

TEST_CASE("random sorts by key") { check_cases("sorts by key", sort_by_key_call); }

TEST_CASE("random distinct elements") { check_cases("distinct elements", unique_call); }

TEST_CASE("random radix sorts in small tiles and in chunks") { check_cases("radix sorts", small_tiles_call); }

TEST_CASE("random largest elements, selected in small tiles") { check_cases("selections", selection_call); }
