// SPDX-License-Identifier: MIT
// Elements under a mask, and where they are.
#include <gpu/masks.hpp>

#include <algorithm>
#include <string>

#include <gpu/error.hpp>

#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/counted_mask.hpp"
#include "launch/gather.hpp"
#include "launch/generated_call.hpp"
#include "launch/scan.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

CountedMask::CountedMask(const NodePointer& mask)
    : core(dense_value(mask, DType::boolean)), size(core.shape.size()),
      totals(scanned_totals(core, {DType::boolean, DType::int64, DType::int64}, {.n = size})) {}

ArrayCore CountedMask::count() const {
    ArrayCore last = totals;
    last.offset += totals.shape[0] - 1;
    last.shape = {};
    last.strides = {};
    return last;
}

ArrayCore CountedMask::positions(std::int64_t limit) const {
    const Device device = core.storage->device();
    const DeviceGuard guard(device);
    const ArrayCore made = make_array(DType::int64, Shape{limit});
    if (limit > 0) {
        launch_builtin_with(device, "mask_positions", mask_positions_text, totals.shape[0], data_of(core),
                            data_of(totals), data_of(made), size, limit);
    }
    made.storage->mark_written();
    return made;
}

ArrayCore flat_nonzero(const NodePointer& mask) {
    const CountedMask counted(mask);
    std::int64_t count = 0;
    if (counted.size > 0) read_item(counted.count(), &count);
    return counted.positions(count);
}

ArrayCore compress(const NodePointer& mask, const NodePointer& value) {
    check_mask(mask, value->shape);
    return gather(array_value(value), {.first = 0, .count = mask->shape.rank(), .mode = IndexMode::clip},
                  flat_nonzero(mask));
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
