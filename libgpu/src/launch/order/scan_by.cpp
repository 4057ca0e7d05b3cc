// SPDX-License-Identifier: MIT
#include "launch/order/scan_by.hpp"

#include <string>

#include <gpu/error.hpp>

#include "codegen/node.hpp"
#include "codegen/order_text.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/generated_call.hpp"
#include "runtime/storage.hpp"

// Scans by an operation of the program's.
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

}  // namespace

ArrayCore scan_by(const ScanRequest& request, const NodePointer& value, const Shape& shape, const ScanSpace& space,
                  const ArrayCore* starts) {
    check_operation(request);
    const DType working = computed_dtype(request.result);
    const bool is_exclusive = request.init != nullptr;
    const ScanTypes types{.input = scan_input(*value, working),
                          .accumulator = working,
                          .result = is_exclusive ? ScanResult::exclusive : ScanResult::inclusive,
                          .segmented = starts != nullptr,
                          .operation = request.operation,
                          .name = request.name};
    const ArrayCore input = dense_value(value, types.input);
    const DeviceGuard guard(input.storage->device());
    const ArrayCore output = make_array(working, shape);
    InitialValue init;
    if (is_exclusive) store_number(*request.init, working, init.bytes);
    const bool* const restarts = starts != nullptr ? static_cast<const bool*>(address_of(*starts)) : nullptr;
    scan({input, output, restarts}, types, space, scan_way(input.storage->device()), init);
    return request.result == working ? output : evaluate(cast_node(request.result, leaf(output)));
}

ArrayCore scan_by(const ScanRequest& request, const NodePointer& value, OptionalAxis axis) {
    const ScanSpace space = scan_space(value->shape, axis);
    return scan_by(request, value, axis.given() ? value->shape : Shape{space.n}, space, nullptr);
}

}  // namespace gpu::detail
