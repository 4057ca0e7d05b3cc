// SPDX-License-Identifier: MIT
#include <gpu/trace.hpp>

#include <utility>

#include "runtime/devices/registry.hpp"

namespace gpu::detail {

namespace {

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
    Checker& checker = *backend(BackendKind::host).checker();
    checker.end_schedule();
    CheckReport report = scope_.finish();
    Trace trace = checker.take_trace();
    trace.report = std::move(report);
    return trace;
}

}  // namespace gpu::detail
