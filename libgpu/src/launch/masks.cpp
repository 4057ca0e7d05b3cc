// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <gpu/create.hpp>
#include <gpu/error.hpp>
#include <gpu/indexing.hpp>
#include <gpu/masks.hpp>

#include "array/shape.hpp"
#include "backend/backend.hpp"
#include "codegen/indexing_text.hpp"
#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/evaluate.hpp"
#include "launch/gather.hpp"
#include "launch/order/counted_mask.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

// Assignment under a mask; elements under a mask, and their positions.
namespace gpu::detail {

namespace {

// True if two expressions have the same value: the same operations on the same arrays and numbers.
bool same_value(const NodePointer& a, const NodePointer& b) {
    if (a == b) return true;
    const Flattened first = flatten(*a), second = flatten(*b);
    const auto same_array = [](const Node* x, const Node* y) { return is_same_leaf(*x, *y); };
    const auto same_number = [](const Node* x, const Node* y) {
        return x->number == y->number && x->imag == y->imag && x->integer == y->integer;
    };
    return first.key == second.key && std::ranges::equal(first.arrays, second.arrays, same_array) &&
           std::ranges::equal(first.numbers, second.numbers, same_number);
}

// The mask with axes of length 1 for the target's axes that it doesn't have.
NodePointer with_rank(const NodePointer& mask, int rank) {
    if (mask->shape.rank() == rank) return mask;
    ArrayCore core = dense_value(mask, DType::boolean);
    while (core.shape.rank() < rank) {
        core.shape.append(1);
        core.strides.push_back(0);
    }
    return leaf(core);
}

void assign_predicated(const ArrayCore& target, const NodePointer& mask, const NodePointer& value) {
    if (!(broadcast(value->shape, target.shape) == target.shape)) {
        throw ShapeError("z[mask] = value: a value of shape " + to_string(value->shape) +
                         " doesn't fit an array of shape " + to_string(target.shape));
    }
    assign_elements(target, with_rank(mask, target.shape.rank()), cast_node(target.dtype, value), "z[mask] = value");
}

}  // namespace

void check_mask(const NodePointer& mask, const Shape& shape) {
    const int rank = mask->shape.rank();
    if (rank > shape.rank()) {
        throw IndexError("too many indices: the mask has shape " + to_string(mask->shape) + ", the array " +
                         to_string(shape));
    }
    for (int axis = 0; axis < rank; ++axis) {
        if (mask->shape[axis] == shape[axis]) continue;
        throw ShapeError("boolean index did not match indexed array along axis " + std::to_string(axis) +
                         "; size is " + std::to_string(shape[axis]) + " but the boolean axis is " +
                         std::to_string(mask->shape[axis]));
    }
}

NodePointer same_mask(const NodePointer& a, const NodePointer& b) {
    if (same_value(a, b)) return a;
    throw Error("different masks in one statement: the elements under one don't belong to those under the other; " +
                std::string("write z[mask].compress() for arrays of values"));
}

void check_same_rank(const NodePointer& a, const NodePointer& b) {
    if (a->shape.rank() == b->shape.rank()) return;
    throw ShapeError("arrays of shapes " + to_string(a->shape) + " and " + to_string(b->shape) +
                     " under one mask: they need the same number of axes");
}

void check_unmasked(const NodePointer& operand) {
    if (operand->shape.size() == 1) return;
    throw ShapeError("an array of shape " + to_string(operand->shape) + " among masked operands: write w[mask] for " +
                     "its elements under the mask, or z[mask].compress() for an array of values like it");
}

void assign_where(const ArrayCore& target, const NodePointer& mask, const NodePointer& value) {
    check_owned(target);
    if (value->shape.size() != 1 && value->shape.rank() != target.shape.rank()) check_same_rank(leaf(target), value);
    assign_predicated(target, mask, value);
}

void assign_compressed(const ArrayCore& target, const NodePointer& mask, const NodePointer& given_values) {
    check_owned(target);
    const int masked = mask->shape.rank(), rest = target.shape.rank() - masked;
    const NodePointer values = without_leading_ones(given_values, rest + 1);
    const int rank = values->shape.rank();
    if (rank <= rest || values->shape.size() == 1 || (rank == rest + 1 && values->shape[0] == 1 && masked > 0)) {
        return assign_predicated(target, mask, values);
    }
    if (rank != rest + 1) {
        throw ShapeError("z[mask] = values: values of shape " + to_string(values->shape) + " have " +
                         std::to_string(rank) + " axes; the elements under the mask have " + std::to_string(rest + 1));
    }
    const std::int64_t given = values->shape[0];
    const ArrayCore elements = apart_from(target, dense_value(values, target.dtype));
    const CountedMask counted(dense_value(mask, DType::boolean));
    if (counted.size() == 0) {
        if (given == 0) return;
        throw ShapeError("cannot assign " + std::to_string(given) +
                         " input values to the 0 output values where the mask is true");
    }
    scatter(target, {.first = 0, .count = masked, .mode = IndexMode::clip}, counted.positions(given), elements,
            {.count = address_of(counted.count()), .expected = given});
}

ArrayCore flat_nonzero(const NodePointer& mask) {
    const CountedMask counted(dense_value(mask, DType::boolean));
    return counted.positions(counted.counted());
}

ArrayCore compress(const NodePointer& mask, const NodePointer& value) {
    check_mask(mask, value->shape);
    const ArrayCore array = array_value(value), where = dense_value(mask, DType::boolean);
    const Device device = common_device({&array, &where}, "compress");
    const CountedMask counted(where);
    const std::int64_t count = counted.counted();
    const int masked = where.shape.rank();
    if (masked == array.shape.rank() && is_dense(array, Layout::row_major) && backend(device).traits().by_blocks)
        return counted.kept(array, count);
    return gather(array, {.first = 0, .count = masked, .mode = IndexMode::clip}, counted.positions(count));
}

ArrayCore compress_axis(const NodePointer& condition, const NodePointer& value, int axis) {
    const IndexedAxes axes = indexed_axes(value->shape, {.axis = axis, .mode = IndexMode::clip});
    if (condition->shape.rank() != 1) {
        throw ShapeError("compress: along an axis the condition is 1-D; this one has shape " +
                         to_string(condition->shape));
    }
    if (condition->shape[0] != value->shape[axes.first]) {
        throw ShapeError("boolean index did not match indexed array along axis " + std::to_string(axes.first) +
                         "; size is " + std::to_string(value->shape[axes.first]) + " but the boolean axis is " +
                         std::to_string(condition->shape[0]));
    }
    if (value->shape.rank() == 1) return compress(condition, value);
    return gather(array_value(value), axes, flat_nonzero(condition));
}

namespace {

// The index along one axis of each position in a flat array.
NodePointer along_axis(const ArrayCore& positions, const Shape& shape, int axis) {
    const auto number = [](std::int64_t value) { return scalar_node(DType::int64, value); };
    const std::int64_t step = std::max<std::int64_t>(dense_strides(shape)[axis], 1);
    NodePointer index = leaf(positions);
    if (step > 1) index = node(Op::divide, DType::int64, DType::int64, index, number(step));
    if (axis > 0) index = node(Op::modulo, DType::int64, DType::int64, index, number(shape[axis]));
    return index;
}

}  // namespace

std::vector<ArrayCore> unravel_index(const NodePointer& positions, const Shape& shape) {
    const std::int64_t size = shape.size();
    // take() handles negative positions and those out of bounds; the array that it reads has a single element, 0.
    const ArrayCore index = dense_value(positions, positions->dtype);
    const DeviceGuard guard(index.storage->device());
    ArrayCore zeros = full(DType::int64, Shape{}, scalar_node(DType::int64, std::int64_t{0}));
    zeros = broadcasted(zeros, Shape{size});
    const NodePointer checked = leaf(take(leaf(zeros), leaf(index), {})), number = scalar_node(DType::int64, size);
    NodePointer flat = node(Op::add, DType::int64, DType::int64, leaf(index), checked);
    if (!is_unsigned(index.dtype)) {
        flat = where_node(DType::int64, node(Op::less, DType::boolean, DType::int64, flat, checked),
                          node(Op::add, DType::int64, DType::int64, flat, number), flat);
    }
    const ArrayCore places = evaluate(flat);
    std::vector<ArrayCore> indices;
    for (int axis = 0; axis < shape.rank(); ++axis) indices.push_back(evaluate(along_axis(places, shape, axis)));
    return indices;
}

std::vector<ArrayCore> nonzero(const NodePointer& mask) {
    const Shape& shape = mask->shape;
    const ArrayCore positions = flat_nonzero(mask);
    std::vector<ArrayCore> indices;
    for (int axis = 0; axis < shape.rank(); ++axis) indices.push_back(evaluate(along_axis(positions, shape, axis)));
    return indices;
}

ArrayCore argwhere(const NodePointer& mask) {
    const Shape& shape = mask->shape;
    const ArrayCore positions = flat_nonzero(mask);
    const DeviceGuard guard(positions.storage->device());
    const ArrayCore table = make_array(DType::int64, Shape{positions.shape[0], shape.rank()});
    for (int axis = 0; axis < shape.rank(); ++axis) {
        ArrayCore column = table;
        column.offset += axis;
        column.shape = Shape{positions.shape[0]};
        column.strides = Strides{shape.rank()};
        assign(column, along_axis(positions, shape, axis), false);
    }
    return table;
}

}  // namespace gpu::detail
