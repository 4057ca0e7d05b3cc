// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "backend/backend.hpp"

// How launches and copies reach the launch logs, which live above the seam.
namespace gpu::detail {

enum class LoggedKind : std::uint8_t {
    elementwise,
    reduction,
    raw,
    copy_to_device,
    copy_to_host,
    copy_on_device,
    linear_algebra,
};

/// One launch or copy, as it is about to be enqueued.
struct LoggedWork {
    LoggedKind kind;
    const std::string* name;               ///< a kernel's, a function's of linear algebra; null for copies
    LaunchShape shape = {};                ///< of a raw kernel
    std::int64_t size = 0;                 ///< elements of a generated kernel's index space
    std::size_t bytes = 0;                 ///< that array arguments hold, or a copy moves; 0: unknown
    const std::string* problem = nullptr;  ///< of linear algebra: "float32, 3 x 4"
};

/// What open logs are, seen from below.
class WorkObserver {
public:
    /// Returns what after() or cancel() gets.
    virtual void* before(Backend& backend, int device, void* stream) noexcept = 0;
    virtual void cancel(void* token) noexcept = 0;
    virtual void after(void* token, Backend& backend, int device, void* stream, const LoggedWork& work) noexcept = 0;

protected:
    ~WorkObserver() = default;
};

/// Null while no log is open: that is all an unlogged launch looks at.
extern std::atomic<WorkObserver*> work_observer;

/// How many threads capture graphs: all that work looks at while none does.
extern std::atomic<int> open_captures;
[[nodiscard]] bool captures_here() noexcept;
void set_capturing(bool on) noexcept;

/// True while this thread captures a graph: its launches are noted, and not done.
[[nodiscard]] inline bool is_capturing() noexcept {
    return open_captures.load(std::memory_order_relaxed) != 0 && captures_here();
}

/// Calls `enqueue()`, and tells open logs of it unless it throws. What is only noted for a graph has no times.
template <class F>
void logged(Backend& backend, int device, void* stream, const LoggedWork& work, F&& enqueue) {
    WorkObserver* const observer = work_observer.load(std::memory_order_acquire);
    if (observer == nullptr || is_capturing()) [[likely]] {
        enqueue();
        return;
    }
    void* const token = observer->before(backend, device, stream);
    try {
        enqueue();
    } catch (...) {
        observer->cancel(token);
        throw;
    }
    observer->after(token, backend, device, stream, work);
}

}  // namespace gpu::detail
