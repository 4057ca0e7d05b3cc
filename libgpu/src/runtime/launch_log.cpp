// SPDX-License-Identifier: MIT
#include <pthread.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include <gpu/error.hpp>
#include <gpu/profiler.hpp>
#include <gpu/trace.hpp>

#include "backend/observers.hpp"
#include "runtime/devices/registry.hpp"

namespace gpu {

namespace detail {

/// An event of the backend's, stored with an entry.
class LogEvent {
public:
    LogEvent(Backend& backend, int device, void* stream)
        : backend_(backend), device_(device), event_(backend.create_event(device)) {
        try {
            backend.record_event(device, event_, stream);
        } catch (...) {
            backend.destroy_event(device, event_);
            throw;
        }
    }
    ~LogEvent() { backend_.destroy_event(device_, event_); }
    LogEvent(const LogEvent&) = delete;
    LogEvent& operator=(const LogEvent&) = delete;

    [[nodiscard]] double us_until(const LogEvent& stop) const {
        return 1000.0 * static_cast<double>(backend_.elapsed_ms(device_, event_, stop.event_));
    }

private:
    Backend& backend_;
    int device_;
    void* event_;
};

}  // namespace detail

struct LaunchLog::State {
    struct Noted {
        LaunchEntry entry;
        std::shared_ptr<detail::LogEvent> start, stop;
    };

    explicit State(bool times_) : times(times_) {}

    const bool times;
    std::vector<Noted> noted;
};

namespace detail {

namespace {

const char* text_of(LoggedKind kind) {
    switch (kind) {
        case LoggedKind::copy_to_device: return "copy to device";
        case LoggedKind::copy_to_host: return "copy to host";
        case LoggedKind::copy_on_device: return "copy on device";
        case LoggedKind::elementwise:
        case LoggedKind::reduction:
        case LoggedKind::raw:
        case LoggedKind::linear_algebra: break;
    }
    return "kernel";
}

LaunchEntry entry_of(Backend& backend, int device, void* stream, const LoggedWork& work) {
    const Device where = make_device(backend.kind(), device);
    const auto dim = [](const Extent3& extent) { return Dim3(extent.x, extent.y, extent.z); };
    return {.kind = static_cast<LaunchEntry::Kind>(work.kind),
            .name = work.name != nullptr ? *work.name : text_of(work.kind),
            .device = where,
            .stream = StreamRef::from_native(stream, where),
            .grid = dim(work.shape.grid),
            .block = dim(work.shape.block),
            .shared = work.shape.shared_bytes,
            .size = work.size,
            .bytes = work.bytes,
            .problem = work.problem != nullptr ? *work.problem : std::string()};
}

/// All open logs. Never destroyed, so that a log may be a static object.
class OpenLogs final : public WorkObserver {
public:
    OpenLogs() {  // a forked child must find it unlocked
        ::pthread_atfork([] { instance().mutex.lock(); }, [] { instance().mutex.unlock(); },
                         [] { instance().mutex.unlock(); });
    }
    static OpenLogs& instance() {
        static auto* const logs = new OpenLogs;
        return *logs;
    }

    void open(LaunchLog::State* log) {
        const std::lock_guard lock(mutex);
        logs_.push_back(log);
        work_observer.store(this, std::memory_order_release);
    }
    void close(LaunchLog::State* log) noexcept {
        const std::lock_guard lock(mutex);
        std::erase(logs_, log);
        if (logs_.empty()) work_observer.store(nullptr, std::memory_order_release);
    }

    void* before(Backend& backend, int device, void* stream) noexcept override {
        return times_wanted() ? marked(backend, device, stream).release() : nullptr;
    }
    void cancel(void* token) noexcept override { delete static_cast<LogEvent*>(token); }
    void after(void* token, Backend& backend, int device, void* stream, const LoggedWork& work) noexcept override {
        std::shared_ptr<LogEvent> start(static_cast<LogEvent*>(token));
        std::shared_ptr<LogEvent> stop;
        if (start != nullptr) stop = marked(backend, device, stream);
        try {
            const LaunchLog::State::Noted noted{entry_of(backend, device, stream, work), start, stop};
            const std::lock_guard lock(mutex);
            for (LaunchLog::State* log : logs_) log->noted.push_back(noted);
        } catch (...) {  // out of memory for a note: the launch matters more
        }
    }

    std::mutex mutex;

private:
    bool times_wanted() noexcept {
        const std::lock_guard lock(mutex);
        return std::any_of(logs_.begin(), logs_.end(), [](const LaunchLog::State* log) { return log->times; });
    }
    static std::unique_ptr<LogEvent> marked(Backend& backend, int device, void* stream) noexcept {
        try {
            return std::make_unique<LogEvent>(backend, device, stream);
        } catch (...) {
            return nullptr;
        }
    }

    std::vector<LaunchLog::State*> logs_;
};

}  // namespace

}  // namespace detail

LaunchLog::LaunchLog(const LaunchLogOptions& options) : state_(new State(options.times)) {
    detail::OpenLogs::instance().open(state_);
}

LaunchLog::~LaunchLog() {
    detail::OpenLogs::instance().close(state_);
    delete state_;
}

std::vector<LaunchEntry> LaunchLog::entries() const {
    std::vector<State::Noted> noted;
    {
        const std::lock_guard lock(detail::OpenLogs::instance().mutex);
        noted = state_->noted;
    }
    std::vector<LaunchEntry> entries;
    for (State::Noted& one : noted) {
        if (state_->times && one.start != nullptr && one.stop != nullptr)
            one.entry.device_us = one.start->us_until(*one.stop);
        entries.push_back(std::move(one.entry));
    }
    return entries;
}

void LaunchLog::clear() {
    std::vector<State::Noted> old;  // its events are destroyed without the lock, which comes later in the lock order
    const std::lock_guard lock(detail::OpenLogs::instance().mutex);
    old.swap(state_->noted);
}

std::string LaunchLog::to_string() const {
    std::string text;
    for (const LaunchEntry& entry : entries()) text += entry.to_string() + "\n";
    return text;
}

std::string LaunchEntry::to_string() const {
    const auto dim = [](const Dim3& d) {
        return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
    };
    std::string text = device.to_string() + " " + name + ":";
    if (kind == Kind::raw) {
        text += " grid " + dim(grid) + ", block " + dim(block);
        if (shared > 0) text += ", " + std::to_string(shared) + " bytes shared";
    } else {
        if (size > 0) text += " " + std::to_string(size) + " elements,";
        if (!problem.empty()) text += " " + problem + ",";
        text += " " + std::to_string(bytes) + " bytes";
    }
    if (stream.native() != nullptr) text += ", in a stream";
    if (device_us >= 0) text += ", " + std::to_string(device_us) + " us";
    return text;
}

}  // namespace gpu

namespace gpu::detail {

namespace {

// One worker: the order of accesses is then the schedule's.
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
