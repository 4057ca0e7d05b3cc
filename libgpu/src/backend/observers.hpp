// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "backend/backend.hpp"
#include "counts.hpp"

// Who is told of work beside those who asked for it.
namespace gpu::detail {

/// How many threads capture graphs: all that work looks at while none does.
extern std::atomic<int> open_captures;
[[nodiscard]] bool captures_here() noexcept;
void set_capturing(bool on) noexcept;

/// True while this thread captures a graph: its launches are recorded, not done.
[[nodiscard]] inline bool is_capturing() noexcept {
    return open_captures.load(std::memory_order_relaxed) != 0 && captures_here();
}

/// Calls `enqueue()` and reports it to open logs unless it throws. Work captured for a graph has no times.
template <class F>
void logged(Backend& backend, void* stream, const CountedWork& work, const F& enqueue) {
    WorkListener* const logs = open_logs.load(std::memory_order_acquire);
    if (logs == nullptr || is_capturing()) [[likely]]
        enqueue();
    else
        logs->enqueue(backend, stream, work, std::cref(enqueue));
}

/// The same, counted as well.
template <class F>
void counted(Backend& backend, void* stream, const CountedWork& work, const F& enqueue) {
    logged(backend, stream, work, enqueue);
    count_work(work);
}

/// Puts a backend before each host backend that is made from now on; null: none. The host backend itself tells nobody
/// what it is asked for.
using HostWrapper = std::unique_ptr<Backend> (*)(std::unique_ptr<Backend> host);
extern std::atomic<HostWrapper> host_wrapper;

}  // namespace gpu::detail
