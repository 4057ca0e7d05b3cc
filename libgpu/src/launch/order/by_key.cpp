// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <gpu/create.hpp>
#include <gpu/error.hpp>
#include <gpu/indexing.hpp>
#include <gpu/masks.hpp>
#include <gpu/sorting.hpp>

#include "array/shape.hpp"
#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/evaluate.hpp"
#include "launch/gather.hpp"
#include "launch/order/scan_by.hpp"
#include "launch/order/sort.hpp"
#include "runtime/storage.hpp"

// Runs of equal elements: distinct elements, and values with keys.
namespace gpu::detail {

namespace {

NodePointer int64_number(std::int64_t value) { return scalar_node(DType::int64, value); }
NodePointer subtract(const NodePointer& a, const NodePointer& b) {
    return node(Op::subtract, DType::int64, DType::int64, a, b);
}

/// The edges between the runs of equal elements of a vector of n elements, which isn't empty: n + 1 bools, true before
/// the first element of each run, and at the end.
struct Runs {
    std::int64_t n;
    ArrayCore edges;

    Runs(const ArrayCore& vector, bool equal_nan)
        : n(vector.shape[0]), edges(full(DType::boolean, Shape{n + 1}, scalar_node(DType::boolean, std::int64_t{1}))) {
        const NodePointer before = leaf(window_of(vector, 0, 0, n - 1)), element = leaf(window_of(vector, 0, 1, n - 1));
        NodePointer differ = node(Op::not_equal, DType::boolean, vector.dtype, before, element);
        if (equal_nan && is_floating(vector.dtype)) {  // sorted: only NaNs follow a NaN
            const NodePointer number = node(Op::equal, DType::boolean, vector.dtype, before, before);
            differ = node(Op::logical_and, DType::boolean, DType::boolean, differ, number);
        }
        ArrayCore inner = window_of(edges, 0, 1, n - 1);
        if (n > 1) assign(inner, differ, false);
    }

    [[nodiscard]] ArrayCore starts() const { return window_of(edges, 0, 0, n); }
    [[nodiscard]] ArrayCore ends() const { return window_of(edges, 0, 1, n); }
};

// The elements, or rows, at positions along the first axis that are within it.
ArrayCore rows_at(const ArrayCore& array, const ArrayCore& positions) {
    return gather(array, {.first = 0, .count = 1, .mode = IndexMode::clip}, positions);
}

// How long each run is: from its start to the next one, or to the end.
ArrayCore lengths_of(const ArrayCore& starts, std::int64_t n) {
    const std::int64_t runs = starts.shape[0];
    const ArrayCore lengths = make_array(DType::int64, Shape{runs});
    ArrayCore all_but_last = window_of(lengths, 0, 0, runs - 1), last = window_of(lengths, 0, runs - 1, 1);
    if (runs > 1)
        assign(all_but_last, subtract(leaf(window_of(starts, 0, 1, runs - 1)), leaf(window_of(starts, 0, 0, runs - 1))),
               false);
    assign(last, subtract(int64_number(n), leaf(window_of(starts, 0, runs - 1, 1))), false);
    return lengths;
}

}  // namespace

UniqueCores unique(const NodePointer& value, const UniqueRequest& request) {
    const std::int64_t n = value->shape.size();
    ArrayCore flat = dense_value(value, value->dtype);
    const DeviceGuard guard(flat.storage->device());
    flat = reshaped(flat, TargetShape{n});
    const auto nothing = [](const Shape& shape) { return make_array(DType::int64, shape); };
    if (n == 0)
        return {make_array(value->dtype, Shape{0}), nothing(Shape{0}), nothing(value->shape), nothing(Shape{0})};
    SortedLines sorted;
    if (request.indices || request.inverse)
        sorted = sorted_with_positions(flat);
    else
        sorted.keys = sort(leaf(flat), 0);
    const Runs runs(sorted.keys, request.equal_nan);
    if (!request.indices && !request.inverse && !request.counts)
        return {compress(leaf(runs.starts()), leaf(sorted.keys)), {}, {}, {}};
    const ArrayCore starts = flat_nonzero(leaf(runs.starts()));
    UniqueCores made{rows_at(sorted.keys, starts), {}, {}, {}};
    if (request.indices) made.indices = rows_at(sorted.positions, starts);
    if (request.counts) made.counts = lengths_of(starts, n);
    if (request.inverse) {
        // The number of the run that each sorted element is in, written to where the element came from.
        const ArrayCore run = cumulative(leaf(runs.starts()), DType::int64, false, 0);
        const ArrayCore inverse = make_array(DType::int64, Shape{n});
        scatter(inverse, {.first = 0, .count = 1, .mode = IndexMode::clip}, sorted.positions,
                evaluate(subtract(leaf(run), int64_number(1))), {});
        made.inverse = reshaped(inverse, TargetShape(value->shape));
    }
    return made;
}

namespace {

void check_keys(const char* operation, const Shape& keys, const Shape& values) {
    if (keys.rank() != 1)
        throw ShapeError(std::string(operation) + ": keys of shape " + to_string(keys) + "; they must have one axis");
    if (values.rank() == 0 || values[0] != keys[0]) {
        throw ShapeError(std::string(operation) + ": " + std::to_string(keys[0]) + " keys for values of shape " +
                         to_string(values) + "; there must be one for each value along the first axis");
    }
}

// The scan of values along their first axis that starts again with each run of keys.
ArrayCore scan_of_runs(const ScanRequest& request, const Runs& runs, const NodePointer& values) {
    const ArrayCore starts = runs.starts();
    return scan_by(request, values, values->shape, scan_space(values->shape, 0), &starts);
}

// Both as arrays on one device.
struct Keyed {
    ArrayCore keys;
    NodePointer values;

    Keyed(const char* operation, const NodePointer& given_keys, const NodePointer& given_values)
        : keys(dense_value(given_keys, given_keys->dtype)), values(given_values) {
        if (values->op != Op::leaf) values = leaf(evaluate(values));
        (void)common_device({&keys, &values->array}, operation);
    }
};

}  // namespace

KeyedCores sort_by_key(const NodePointer& keys, const NodePointer& values) {
    check_keys("sort_by_key", keys->shape, values->shape);
    const Keyed given("sort_by_key", keys, values);
    const DeviceGuard guard(given.keys.storage->device());
    if (values->shape.size() == 0) return {sort(leaf(given.keys), 0), make_array(values->dtype, values->shape)};
    const SortedLines sorted = sorted_with_positions(given.keys);
    return {sorted.keys, rows_at(array_value(given.values), sorted.positions)};
}

KeyedCores reduce_by_key(const ScanRequest& request, const NodePointer& keys, const NodePointer& values) {
    check_keys(request.name, keys->shape, values->shape);
    const Keyed given(request.name, keys, values);
    const DeviceGuard guard(given.keys.storage->device());
    if (keys->shape[0] == 0) return {make_array(keys->dtype, Shape{0}), make_array(request.result, values->shape)};
    const Runs runs(given.keys, false);
    const ArrayCore scanned = scan_of_runs(request, runs, given.values);
    const ArrayCore ends = flat_nonzero(leaf(runs.ends()));
    Shape shape = values->shape;
    shape[0] = ends.shape[0];
    return {rows_at(given.keys, ends), shape.size() == 0 ? make_array(request.result, shape) : rows_at(scanned, ends)};
}

ArrayCore scan_by_key(const ScanRequest& request, const NodePointer& keys, const NodePointer& values) {
    check_keys(request.name, keys->shape, values->shape);
    const Keyed given(request.name, keys, values);
    const DeviceGuard guard(given.keys.storage->device());
    if (values->shape.size() == 0) return make_array(request.result, values->shape);
    return scan_of_runs(request, Runs(given.keys, false), given.values);
}

}  // namespace gpu::detail
