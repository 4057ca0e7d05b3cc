// SPDX-License-Identifier: MIT
#include "launch/order/scan.hpp"

#include <string>
#include <utility>

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

/// How a scan is divided among threads. If a line has several parts, their totals are scanned first.
struct ScanCut {
    std::int64_t parts = 1, blocks = 1;
    int threads = 256, lanes = 0;  ///< 0 lanes: no thread waits for another one
    std::int64_t rounds = 1;       ///< with lanes: tiles that a block goes through
    bool waits = false;            ///< blocks of a line wait for each other's totals
};

ScanCut cut_of(const ScanSpace& space, const ScanWay& way, std::int64_t chunk) {
    ScanCut cut;
    const std::int64_t group = chunk * chunk;
    if (!way.by_blocks || space.inner > 1 || space.n < way.least) {
        cut.parts = divided_up(space.n, group);
        cut.blocks = divided_up(space.lines * cut.parts * space.inner, cut.threads);
        return cut;
    }
    cut.threads = static_cast<int>(group);
    if (space.n <= group) {
        for (cut.lanes = 1; cut.lanes * chunk < space.n;) cut.lanes *= 2;
        cut.blocks = divided_up(space.lines, cut.threads / cut.lanes);
        return cut;
    }
    while (cut.threads % 128 == 0 && cut.threads / 2 * chunk >= space.n) cut.threads /= 2;
    cut.lanes = cut.threads;
    const std::int64_t tiles = divided_up(space.n, cut.threads * chunk);
    if (tiles > chunk) cut.parts = tiles;
    else if (space.lines >= way.many_lines) cut.rounds = tiles;
    else cut.waits = tiles > 1;
    cut.blocks = space.lines * divided_up(tiles, cut.rounds);
    return cut;
}

std::string key_of(const ScanTypes& types, const ScanCut& cut) {
    std::string key = "scan";
    for (const int value :
         {static_cast<int>(types.input), static_cast<int>(types.accumulator), static_cast<int>(types.result),
          types.segmented ? 1 : 0, types.rounds_each ? 1 : 0, cut.waits ? 1 : 0})
        key += static_cast<char>('a' + value);
    for (const int value : {cut.lanes, cut.threads, types.chunk}) key += std::to_string(value) + ' ';
    return key + types.name + ' ' + types.operation;
}

/// What a part takes from those before it, or gives.
struct ScanParts {
    const void* before = nullptr;
    void* restarts = nullptr;
};

template <std::size_t count>
void launch_kernel(const ScanArrays& arrays, const ScanTypes& types, const ScanCut& cut,
                   const void* const (&values)[count]) {
    void* arguments[count];
    for (std::size_t k = 0; k < count; ++k) arguments[k] = const_cast<void*>(values[k]);
    const ScanBlock block{.lanes = cut.lanes, .threads = cut.threads, .waits = cut.waits};
    launch_builtin_blocks(
        arrays.output.storage->device(), key_of(types, cut),
        [&] { return cut.lanes > 0 ? scan_tiles_text(types, block) : scan_chunks_text(types); },
        {.blocks = cut.blocks, .threads = static_cast<std::uint32_t>(cut.threads)}, arguments,
        static_cast<int>(count));
    arrays.output.storage->mark_written();
}

void launch(const ScanArrays& arrays, const ScanTypes& types, const ScanSpace& space, const ScanCut& cut,
            const ScanParts& parts, const InitialValue& init) {
    const void *const input = data_of(arrays.input), *state = nullptr;
    void* const output = data_of(arrays.output);
    if (cut.lanes == 0) {
        return launch_kernel(arrays, types, cut, {&input, &arrays.starts, &parts.before, &output, &parts.restarts,
                                                  init.bytes, &space.lines, &space.n, &space.inner});
    }
    ArrayCore totals;
    if (cut.waits) {
        const auto words = static_cast<std::int64_t>((size_of(types.accumulator) + 3) / 4);
        totals = full(DType::uint64, Shape{1 + cut.blocks * words}, scalar_node(DType::uint64, std::int64_t{0}));
        state = data_of(totals);
    }
    launch_kernel(arrays, types, cut, {&input, &arrays.starts, &parts.before, &state, &output, &parts.restarts,
                                       init.bytes, &space.lines, &space.n, &cut.rounds});
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
    const ScanCut cut = cut_of(space, way, types.chunk);
    if (cut.parts == 1) return launch(arrays, types, space, cut, {}, init);
    const ScanSpace above{space.lines, cut.parts, space.inner};
    ScanArrays totals{arrays.input, make_array(types.accumulator, Shape{above.size()}), arrays.starts};
    ArrayCore restarts;
    ScanParts parts;
    if (types.segmented) {
        restarts = make_array(DType::boolean, Shape{cut.parts});
        parts.restarts = data_of(restarts);
    }
    ScanTypes step = types;
    step.result = ScanResult::total;
    launch(totals, step, space, cut, parts, {});
    if (types.segmented) restarts.storage->mark_written();
    step.input = types.accumulator;
    step.result = ScanResult::preceding;
    totals.input = totals.output;
    totals.starts = static_cast<const bool*>(parts.restarts);
    scan(totals, step, above, way);
    launch(arrays, types, space, cut, {.before = data_of(totals.output)}, init);
}

ArrayCore cumulative(const NodePointer& value, DType result, bool product, OptionalAxis axis) {
    const ScanSpace space = scan_space(value->shape, axis);
    // Halves accumulate as floats.
    const DType working = result == DType::float16 ? DType::float32 : result;
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
