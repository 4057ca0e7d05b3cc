// SPDX-License-Identifier: MIT
// Integer arrays as indices.
#include <gpu/indexing.hpp>

#include <gpu/create.hpp>
#include <gpu/error.hpp>

#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/gather.hpp"
#include "launch/overlap.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

void write(const ArrayCore& target, const NodePointer& index, const NodePointer& values, const IndexOptions& options,
           Scatter::Kind kind) {
    check_owned(target);
    const IndexedAxes axes = indexed_axes(target.shape, options);
    const DeviceGuard guard(target.storage->device());  // where a number becomes an array
    const ArrayCore places = apart_from(target, dense_value(index, index->dtype));
    const int rank = gathered_shape(target.shape, axes, places.shape).rank();
    const ArrayCore elements = values->op == Op::scalar ? full(target.dtype, Shape{}, values)
                                                        : array_value(without_leading_ones(values, rank));
    scatter(target, axes, places, apart_from(target, elements), {.kind = kind});
}

}  // namespace

ArrayCore take(const NodePointer& source, const NodePointer& index, const IndexOptions& options) {
    const IndexedAxes axes = indexed_axes(source->shape, options);
    return gather(array_value(source), axes, dense_value(index, index->dtype));
}

void put(const ArrayCore& target, const NodePointer& index, const NodePointer& values, const IndexOptions& options) {
    write(target, index, values, options, Scatter::Kind::put);
}

void add_at(const ArrayCore& target, const NodePointer& index, const NodePointer& values,
            const IndexOptions& options) {
    switch (target.dtype) {
        case DType::int32:
        case DType::uint32:
        case DType::int64:
        case DType::uint64:
        case DType::float32:
        case DType::float64: return write(target, index, values, options, Scatter::Kind::add);
        default:
            throw DTypeError("add_at: there is no atomic addition for " + std::string(name(target.dtype)) +
                             ": use integers of 32 or 64 bits, float or double");
    }
}

ArrayCore positions_array(Device device, std::initializer_list<std::int64_t> positions) {
    const DeviceGuard guard(device);
    const ArrayCore made = make_array(DType::int64, Shape{positions.size()});
    copy_from_host(made, positions.begin(), std::ssize(positions));
    return made;
}

}  // namespace gpu::detail
