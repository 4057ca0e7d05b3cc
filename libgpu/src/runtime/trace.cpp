// SPDX-License-Identifier: MIT
#include <gpu/trace.hpp>

#include <string>
#include <utility>

#include <gpu/error.hpp>

#include "runtime/devices/registry.hpp"

namespace gpu::detail {

namespace {

// One worker: the order of accesses is then the schedule's.
CheckOptions by_one_worker(CheckOptions options) {
    options.workers = 1;
    return options;
}

}  // namespace

TraceScope::TraceScope(const TraceOptions& options) : scope_(by_one_worker(options.check)) {
    if (options.first_launch < 1)
        throw Error("a trace from launch " + std::to_string(options.first_launch) + " on: the first one is 1");
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
