// SPDX-License-Identifier: MIT
#include "launch/order/scan.hpp"

#include <algorithm>
#include <string>

#include <gpu/create.hpp>
#include <gpu/error.hpp>
#include <gpu/sorting.hpp>

#include "array/shape.hpp"
#include "backend/backend.hpp"
#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

std::string key_of(const ScanTypes& types, const ScanBlock& block) {
    std::string key = "scan";
    for (const int value :
         {static_cast<int>(types.input), static_cast<int>(types.accumulator), static_cast<int>(types.result),
          types.segmented ? 1 : 0, types.rounds_each ? 1 : 0, block.waits ? 1 : 0})
        key += static_cast<char>('a' + value);
    for (const int value : {block.lanes, block.threads, types.chunk}) key += std::to_string(value) + ' ';
    return key + types.name + ' ' + types.operation;
}

template <class... A>
void launch_scan(const ScanArrays& arrays, const ScanTypes& types, const ScanBlock& block, std::int64_t blocks,
                 std::int64_t elements, const A&... values) {
    void* const arguments[] = {const_cast<void*>(static_cast<const void*>(&values))...};
    launch_builtin_blocks(
        arrays.output.storage->device(), key_of(types, block),
        [&] { return block.lanes > 0 ? scan_tiles_text(types, block) : scan_chunks_text(types); },
        {.blocks = blocks, .threads = static_cast<std::uint32_t>(block.threads), .elements = elements}, arguments,
        sizeof...(A));
    arrays.output.storage->mark_written();
}

/// By blocks, in one launch: several lines a block, or several tiles a line.
void scan_by_blocks(const ScanArrays& arrays, const ScanTypes& types, const ScanSpace& space,
                    const InitialValue& init) {
    const std::int64_t chunk = types.chunk, threads = chunk * chunk;
    const void* const input = address_of(arrays.input);
    void* const output = address_of(arrays.output);
    void* state = nullptr;
    ScanBlock block{.threads = static_cast<int>(threads)};
    if (space.n <= threads * chunk) {
        while (block.lanes * chunk < space.n) block.lanes *= 2;
        return launch_scan(arrays, types, block, divided_up(space.lines, threads / block.lanes), space.size(), input,
                           arrays.starts, state, output, init.bytes, space.lines, space.n);
    }
    block.lanes = block.threads;
    block.waits = true;
    const Device device = arrays.output.storage->device();
    const std::int64_t tiles = divided_up(space.n, threads * chunk), all = tiles * space.lines;
    const std::int64_t staying = scan_blocks_staying(types.accumulator) * known_properties(device).multiprocessors;
    const std::int64_t words = scan_state(space.lines, tiles, size_of(types.accumulator));
    const ArrayCore zeros = full(DType::uint64, Shape{words}, scalar_node(DType::uint64, std::int64_t{0}));
    state = address_of(zeros);
    launch_scan(arrays, types, block, staying > 0 ? std::min(all, staying) : all, space.size(), input, arrays.starts,
                state, output, init.bytes, space.lines, space.n);
}

/// What a thread's elements take from those before them, or give.
struct ScanParts {
    const void* before = nullptr;
    void* restarts = nullptr;
};

void scan_by_threads(const ScanArrays& arrays, const ScanTypes& types, const ScanSpace& space, const ScanParts& parts,
                     const InitialValue& init) {
    const void* const input = address_of(arrays.input);
    void* const output = address_of(arrays.output);
    const ScanBlock block{.lanes = 0};
    const std::int64_t each = std::int64_t{types.chunk} * types.chunk;
    const std::int64_t blocks = divided_up(space.lines * divided_up(space.n, each) * space.inner, block.threads);
    launch_scan(arrays, types, block, blocks, space.size(), input, arrays.starts, parts.before, output, parts.restarts,
                init.bytes, space.lines, space.n, space.inner);
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

ScanWay scan_way(Device device) { return {.by_blocks = backend(device).traits().by_blocks}; }

void scan(const ScanArrays& arrays, const ScanTypes& types, const ScanSpace& space, const ScanWay& way,
          const InitialValue& init) {
    if (space.size() == 0) return;
    const DeviceGuard guard(arrays.output.storage->device());
    if (way.by_blocks && space.inner == 1 && space.n >= way.min_elements)
        return scan_by_blocks(arrays, types, space, init);
    const std::int64_t parts = divided_up(space.n, std::int64_t{types.chunk} * types.chunk);
    if (parts == 1) return scan_by_threads(arrays, types, space, {}, init);
    // The parts' totals are scanned first.
    const ScanSpace above{space.lines, parts, space.inner};
    ScanArrays totals{arrays.input, make_array(types.accumulator, Shape{above.size()}), arrays.starts};
    ArrayCore restarts;
    ScanParts given;
    if (types.segmented) {
        restarts = make_array(DType::boolean, Shape{parts});
        given.restarts = address_of(restarts);
    }
    ScanTypes step = types;
    step.result = ScanResult::total;
    scan_by_threads(totals, step, space, given, {});
    if (types.segmented) restarts.storage->mark_written();
    step.input = types.accumulator;
    step.result = ScanResult::preceding;
    totals.input = totals.output;
    totals.starts = static_cast<const bool*>(given.restarts);
    scan(totals, step, above, way);
    scan_by_threads(arrays, types, space, {.before = address_of(totals.output)}, init);
}

ArrayCore cumulative(const NodePointer& value, DType result, bool product, OptionalAxis axis) {
    const ScanSpace space = scan_space(value->shape, axis);
    // Halves accumulate as floats.
    const DType working = computed_dtype(result);
    const ScanTypes types{.input = scan_input(*value, working),
                          .accumulator = working,
                          .operation = product ? "a * b" : "a + b",
                          .name = product ? "cumprod" : "cumsum",
                          .rounds_each = true};
    const ArrayCore input = dense_value(value, types.input);
    const DeviceGuard guard(input.storage->device());
    const ArrayCore output = make_array(working, axis.given() ? value->shape : Shape{space.n});
    scan({input, output}, types, space, scan_way(input.storage->device()));
    return result == working ? output : evaluate(cast_node(result, leaf(output)));
}

}  // namespace gpu::detail
