// SPDX-License-Identifier: MIT
#include <string>

#include <gpu/create.hpp>
#include <gpu/error.hpp>
#include <gpu/sorting.hpp>

#include "array/shape.hpp"
#include "codegen/node.hpp"
#include "codegen/order_text.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/evaluate.hpp"
#include "launch/order/selection.hpp"
#include "launch/order/sort.hpp"
#include "runtime/storage.hpp"

// Searches in sorted vectors, and the first elements of an order.
namespace gpu::detail {

namespace {

std::string key_of(const char* kernel, DType element) {
    return std::string(kernel) + static_cast<char>('a' + static_cast<int>(element));
}

// The value as a dense array of this type; a number becomes one on the current device.
ArrayCore searched(DType type, const NodePointer& value) {
    if (value->op == Op::scalar) return full(type, Shape{}, cast_node(type, value));
    return dense_value(value, type);
}

// Both sides of a search, where an array of the first one lives.
struct Searched {
    ArrayCore sorted, values;
    Device device;

    Searched(const char* operation, ArrayCore in, ArrayCore what)
        : sorted(std::move(in)), values(std::move(what)), device(common_device({&sorted, &values}, operation)) {}
};

}  // namespace

ArrayCore search_sorted(const SearchRequest& request, const NodePointer& sorted, const NodePointer& values) {
    if (sorted->shape.rank() != 1) {
        throw ShapeError(std::string(request.name) + ": " +
                         (request.either_way ? "bins of shape " : "a sorted array of shape ") +
                         to_string(sorted->shape) + "; it must have one axis");
    }
    const ArrayCore first = dense_value(sorted, request.type);
    const DeviceGuard guard(first.storage->device());
    const Searched both(request.name, first, searched(request.type, values));
    const ArrayCore places = make_array(DType::int64, both.values.shape);
    const std::int64_t n = both.sorted.shape[0], count = places.shape.size();
    const int after = request.after ? 1 : 0, either_way = request.either_way ? 1 : 0;
    launch_builtin_with(
        both.device, key_of("search_sorted", request.type), [&] { return search_sorted_text(request.type); },
        {count, count}, address_of(both.sorted), address_of(both.values), address_of(places), n, count, after,
        either_way);
    places.storage->mark_written();
    return places;
}

ArrayCore is_in(DType type, const NodePointer& value, const NodePointer& test, bool invert) {
    const ArrayCore elements = dense_value(value, type);
    const DeviceGuard guard(elements.storage->device());
    ArrayCore among = searched(type, test);
    const std::int64_t n = among.shape.size();
    if (among.shape.rank() != 1) among = reshaped(among, TargetShape{n});
    const Searched both("isin", sort(leaf(among), 0), elements);
    const ArrayCore found = make_array(DType::boolean, elements.shape);
    const std::int64_t count = found.shape.size();
    const int inverts = invert ? 1 : 0;
    launch_builtin_with(
        both.device, key_of("is_in", type), [&] { return is_in_text(type); }, {count, count}, address_of(both.sorted),
        address_of(both.values), address_of(found), n, count, inverts);
    found.storage->mark_written();
    return found;
}

TopKCores topk(const NodePointer& value, std::int64_t k, int axis) {
    const Shape& shape = value->shape;
    const int rank = shape.rank(), along = checked_axis(axis, rank, shape, "topk"), last = rank - 1;
    const std::int64_t n = shape[along];
    if (k < 0 || k > n) {
        throw ShapeError("topk: the largest " + std::to_string(k) + " of " + std::to_string(n) +
                         " elements along axis " + std::to_string(along) + " of an array of shape " + to_string(shape));
    }
    const ArrayCore moved = axes_moved(array_value(value), {&along, 1}, {&last, 1});
    const DeviceGuard guard(moved.storage->device());
    if (k > 0 && selects_largest(moved, k)) {
        const SortedLines largest = largest_selected(dense_value(leaf(moved), value->dtype), k);
        const auto back = [&](const ArrayCore& array) {
            return along == last ? array : copy_of(axes_moved(array, {&last, 1}, {&along, 1}), Layout::row_major);
        };
        return {back(largest.keys), back(largest.positions)};
    }
    // Of the reversed axis, the last of equal elements is the one that comes first in the array.
    const ArrayCore lines = dense_value(leaf(flipped(moved, {&last, 1})), value->dtype);
    const SortedLines sorted = sorted_with_positions(lines);
    const auto largest = [&](const ArrayCore& array) {
        ArrayCore window = flipped(array, {&last, 1});
        window.shape[last] = k;
        return leaf(axes_moved(window, {&last, 1}, {&along, 1}));
    };
    const NodePointer end = scalar_node(DType::int64, n - 1);
    return {evaluate(largest(sorted.keys)),
            evaluate(node(Op::subtract, DType::int64, DType::int64, end, largest(sorted.positions)))};
}

ArrayCore partition(const NodePointer& value, std::int64_t kth, int axis, bool positions) {
    const char* const name = positions ? "argpartition" : "partition";
    const Shape& shape = value->shape;
    const int along = checked_axis(axis, shape.rank(), shape, name);
    if (kth < -shape[along] || kth >= shape[along]) {
        throw IndexError(std::string(name) + ": kth is " + std::to_string(kth) + ", axis " + std::to_string(along) +
                         " of an array of shape " + to_string(shape) + " has " + std::to_string(shape[along]) +
                         " elements");
    }
    if (shape.size() == 0) return make_array(positions ? DType::int64 : value->dtype, shape);
    const int last = shape.rank() - 1;
    const ArrayCore moved = axes_moved(array_value(value), {&along, 1}, {&last, 1});
    const DeviceGuard guard(moved.storage->device());
    const ArrayCore lines = dense_value(leaf(moved), value->dtype);
    const ArrayCore made = parted(lines, kth < 0 ? kth + shape[along] : kth, positions, part_way(lines));
    return along == last ? made : copy_of(axes_moved(made, {&last, 1}, {&along, 1}), Layout::row_major);
}

}  // namespace gpu::detail
