// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

#include <gpu/trace.hpp>

#include "backend/observers.hpp"
#include "counts.hpp"
#include "runtime/devices/registry.hpp"

namespace gpu::detail {

/// What logs, ledgers and traces say of a call of a library.
struct LibraryCallText {
    std::string problem;  ///< "float32, 3 x 4"
    std::size_t bytes = 0;
};

/// Does a library's work on a device in a stream, counts it, and tells who listens. `describe()` is called only if
/// somebody does; a call of the kind `launch` counts as one.
template <class Describe, class F>
void call_library(Device device, void* stream, LedgerEntry::Kind kind, const char* name, const Describe& describe,
                  const F& function) {
    Backend& backend = detail::backend(device);
    CountedWork work{.kind = kind, .device = device};
    Checker* const checker = backend.checker();
    const bool is_traced = checker != nullptr && checker->records();
    if (open_logs.load(std::memory_order_acquire) == nullptr && !is_noted() && !is_traced) {
        function();
        return count_work(work);
    }
    const std::string named = name;
    const LibraryCallText text = describe();
    work.bytes = text.bytes;
    work.kernel = &named;
    work.entry = LaunchEntry::Kind::linear_algebra;
    work.problem = &text.problem;
    counted(backend, stream, work, function);
    if (!is_traced) return;
    TracedOperation asked;
    asked.kind = TracedOperation::Kind::linear_algebra;
    asked.name = named + " (" + text.problem + ")";
    asked.bytes = work.bytes;
    checker->note(device.index(), stream, asked);
}

}  // namespace gpu::detail
