// SPDX-License-Identifier: MIT
#include "launch/order/scan.hpp"

#include <string>
#include <utility>

#include <gpu/error.hpp>
#include <gpu/sorting.hpp>

#include "array/shape.hpp"
#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

std::string key_of(const char* name, const ScanTypes& types) {
    std::string key = name;
    for (DType type : {types.input, types.accumulator, types.output})
        key += static_cast<char>('a' + static_cast<int>(type));
    return key + (types.product ? '*' : '+');
}

ScanTypes scan_types(const Node& value, DType result, bool product) {
    // Halves accumulate as floats.
    const DType working = result == DType::float16 ? DType::float32 : result;
    return {.input = scan_input(value, working), .accumulator = working, .output = working, .product = product};
}

}  // namespace

DType scan_input(const Node& value, DType accumulator) {
    const bool is_whole = is_integer(value.dtype) || value.dtype == DType::boolean;
    return value.op == Op::leaf && is_whole && !is_complex(accumulator) ? value.dtype : accumulator;
}

ScanSpace scan_space(const Shape& shape, OptionalAxis axis) {
    const int rank = shape.rank();
    ScanSpace space{.lines = 1, .n = shape.size(), .inner = 1};
    if (!axis.given()) return space;
    const int along = axis.value() < 0 ? axis.value() + rank : axis.value();
    if (along < 0 || along >= rank) {
        throw AxisError("axis " + std::to_string(axis.value()) + " is out of bounds for an array of shape " +
                        to_string(shape));
    }
    if (space.n == 0) return space;  // the lengths of an array without elements may overflow
    space.n = shape[along];
    for (int k = 0; k < along; ++k) space.lines *= shape[k];
    for (int k = along + 1; k < rank; ++k) space.inner *= shape[k];
    return space;
}

ArrayCore scanned_totals(const ArrayCore& input, const ScanTypes& types, const ScanSpace& space) {
    const Device device = input.storage->device();
    const DeviceGuard guard(device);
    const std::int64_t count = space.lines * space.chunks() * space.inner;
    const ArrayCore totals = make_array(types.accumulator, Shape{count});
    const ScanTypes types_in{types.input, types.accumulator, types.accumulator, types.product};
    launch_builtin_with(
        device, key_of("scan_totals", types_in), [&] { return scan_totals_text(types_in); }, count, data_of(input),
        data_of(totals), space.lines, space.n, space.inner);
    totals.storage->mark_written();
    if (space.chunks() > 1) {
        scan(totals, totals, {types.accumulator, types.accumulator, types.accumulator, types.product},
             {space.lines, space.chunks(), space.inner});
    }
    return totals;
}

void scan(const ArrayCore& input, const ArrayCore& output, const ScanTypes& types, const ScanSpace& space) {
    const std::int64_t chunks = space.lines * space.chunks() * space.inner;
    if (chunks == 0) return;
    const Device device = input.storage->device();
    ArrayCore totals;
    void* before = nullptr;
    if (space.chunks() > 1) {
        totals = scanned_totals(input, types, space);
        before = data_of(totals);
    }
    launch_builtin_with(
        device, key_of("scan_chunks", types), [&] { return scan_chunks_text(types); }, chunks, data_of(input), before,
        data_of(output), space.lines, space.n, space.inner);
    output.storage->mark_written();
}

ArrayCore cumulative(const NodePointer& value, DType result, bool product, OptionalAxis axis) {
    const ScanSpace space = scan_space(value->shape, axis);
    const ScanTypes types = scan_types(*value, result, product);
    const ArrayCore input = dense_value(value, types.input);
    const DeviceGuard guard(input.storage->device());
    const ArrayCore output = make_array(types.output, axis.given() ? value->shape : Shape{space.n});
    scan(input, output, types, space);
    return result == types.output ? output : evaluate(cast_node(result, leaf(output)));
}

}  // namespace gpu::detail
