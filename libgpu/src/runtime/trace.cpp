// SPDX-License-Identifier: MIT
#include <gpu/trace.hpp>

#include <utility>

#include "runtime/registry.hpp"

namespace gpu::detail {

namespace {

constexpr std::size_t most_operations = 512;

// One worker: the order of accesses is then that of the schedule.
CheckOptions by_one_worker(CheckOptions options) {
    options.workers = 1;
    return options;
}

}  // namespace

TraceScope::TraceScope(const TraceOptions& options) : scope_(by_one_worker(options.check)) {
    backend(BackendKind::host).checker()->record(options);
}

Trace TraceScope::finish() {
    CheckReport report = scope_.finish();
    Trace trace = backend(BackendKind::host).checker()->take_trace();
    trace.report = std::move(report);
    trace.operations = log_.entries();
    if (trace.operations.size() > most_operations) {
        trace.operations_left_out = trace.operations.size() - most_operations;
        trace.operations.erase(trace.operations.begin() + most_operations, trace.operations.end());
    }
    return trace;
}

}  // namespace gpu::detail
