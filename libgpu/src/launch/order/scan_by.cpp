// SPDX-License-Identifier: MIT
#include "launch/order/scan_by.hpp"

#include <string>

#include <gpu/error.hpp>

#include "codegen/node.hpp"
#include "codegen/order_text.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/generated_call.hpp"
#include "runtime/storage.hpp"

// Scans by an operation of the program's: as launch/scan.cpp scans, with segments and a first value.
namespace gpu::detail {

namespace {

void check_operation(const ScanRequest& request) {
    const auto last = request.operation.find_last_not_of(" \t\r\n");
    if (last == std::string::npos) {
        throw Error(std::string(request.name) +
                    ": the operation is empty: write an expression over a and b, such as \"a + b\"");
    }
    if (request.operation[last] == ';') {
        throw Error(std::string(request.name) + ": the operation '" + request.operation +
                    "' is an expression, which has no ; at its end");
    }
}

std::string key_of(const char* kernel, const ScanByTypes& types) {
    std::string key = kernel;
    for (DType type : {types.input, types.accumulator}) key += static_cast<char>('a' + static_cast<int>(type));
    key += types.segmented ? 's' : '-';
    key += types.exclusive ? 'e' : '-';
    return key + types.name + ' ' + types.operation;
}

// A number as a kernel's argument of its type.
struct InitialValue {
    alignas(16) unsigned char bytes[16] = {};
};

/// What a scan reads and writes. `starts` is null unless it is segmented.
struct ScanArrays {
    ArrayCore input, output;
    const bool* starts = nullptr;
};

const bool* bools_of(const ArrayCore& array) { return static_cast<const bool*>(data_of(array)); }

void launch(const ScanArrays& arrays, const ScanByTypes& types, const ScanSpace& space, InitialValue init) {
    const std::int64_t threads = space.lines * space.chunks() * space.inner;
    if (threads == 0) return;
    const Device device = arrays.input.storage->device();
    const void *input = data_of(arrays.input), *before = nullptr;
    ArrayCore totals, restarts;
    if (space.chunks() > 1) {
        totals = make_array(types.accumulator, Shape{threads});
        if (types.segmented) restarts = make_array(DType::boolean, Shape{space.chunks()});
        void* const restarted = types.segmented ? data_of(restarts) : nullptr;
        launch_builtin_with(
            device, key_of("scan_by_totals", types), [&] { return scan_by_totals_text(types); }, threads, input,
            arrays.starts, data_of(totals), restarted, space.lines, space.n, space.inner);
        totals.storage->mark_written();
        ScanByTypes joined = types;
        joined.input = types.accumulator;
        joined.exclusive = false;
        launch({totals, totals, types.segmented ? bools_of(restarts) : nullptr}, joined,
               {space.lines, space.chunks(), space.inner}, {});
        before = data_of(totals);
    }
    void* output = data_of(arrays.output);
    void* arguments[] = {&input,
                         const_cast<bool**>(&arrays.starts),
                         &before,
                         &output,
                         init.bytes,
                         const_cast<std::int64_t*>(&space.lines),
                         const_cast<std::int64_t*>(&space.n),
                         const_cast<std::int64_t*>(&space.inner)};
    launch_builtin(
        device, key_of("scan_by_chunks", types), [&] { return scan_by_chunks_text(types); }, threads, arguments, 8);
    arrays.output.storage->mark_written();
}

}  // namespace

ArrayCore scan_by(const ScanRequest& request, const NodePointer& value, const Shape& shape, const ScanSpace& space,
                  const ArrayCore* starts) {
    check_operation(request);
    const DType working = request.result == DType::float16 ? DType::float32 : request.result;
    const bool is_exclusive = request.init != nullptr;
    const ScanByTypes types{.input = scan_input(*value, working),
                            .accumulator = working,
                            .segmented = starts != nullptr,
                            .exclusive = is_exclusive,
                            .operation = request.operation,
                            .name = request.name};
    const ArrayCore input = dense_value(value, types.input);
    const DeviceGuard guard(input.storage->device());
    const ArrayCore output = make_array(working, shape);
    InitialValue init;
    if (is_exclusive) store_number(*request.init, working, init.bytes);
    launch({input, output, starts != nullptr ? bools_of(*starts) : nullptr}, types, space, init);
    return request.result == working ? output : evaluate(cast_node(request.result, leaf(output)));
}

ArrayCore scan_by(const ScanRequest& request, const NodePointer& value, OptionalAxis axis) {
    const ScanSpace space = scan_space(value->shape, axis);
    return scan_by(request, value, axis.given() ? value->shape : Shape{space.n}, space, nullptr);
}

}  // namespace gpu::detail
