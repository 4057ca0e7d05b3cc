// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include <gpu/profiler.hpp>

#include "backend/device_event.hpp"
#include "counts.hpp"
#include "runtime/devices/registry.hpp"

namespace gpu {

struct LaunchLog::State {
    struct Noted {
        LaunchEntry entry;
        std::shared_ptr<detail::DeviceEvent> start, stop;
    };

    explicit State(bool times_) : times(times_) {}

    const bool times;
    std::vector<Noted> noted;
};

namespace detail {

namespace {

double us_between(const DeviceEvent& start, const DeviceEvent& stop) {
    return 1000.0 * static_cast<double>(start.backend().elapsed_ms(start.device(), start.native(), stop.native()));
}

const char* copy_name(LaunchEntry::Kind kind) {
    return kind == LaunchEntry::Kind::copy_to_device ? "copy to device"
           : kind == LaunchEntry::Kind::copy_to_host ? "copy to host"
                                                     : "copy on device";
}

LaunchEntry entry_of(void* stream, const CountedWork& work) {
    return {.kind = work.entry,
            .name = work.kernel != nullptr ? *work.kernel : copy_name(work.entry),
            .device = work.device,
            .stream = StreamRef::from_native(stream, work.device),
            .grid = work.grid,
            .block = work.block,
            .shared = work.shared,
            .size = work.kernel != nullptr ? work.elements : 0,
            .bytes = work.bytes,
            .problem = work.problem != nullptr ? *work.problem : std::string()};
}

class OpenLogs final : public OpenListeners<OpenLogs, LaunchLog::State> {
public:
    OpenLogs() : OpenListeners(open_logs) {}

    void enqueue(Backend& backend, void* stream, const CountedWork& work,
                 const std::function<void()>& enqueue) override {
        const int device = work.device.index();
        const std::shared_ptr<DeviceEvent> start = times_wanted() ? marked(backend, device, stream) : nullptr;
        enqueue();
        const std::shared_ptr<DeviceEvent> stop = start != nullptr ? marked(backend, device, stream) : nullptr;
        try {
            const LaunchLog::State::Noted noted{entry_of(stream, work), start, stop};
            const std::lock_guard lock(mutex);
            for (LaunchLog::State* log : open_) log->noted.push_back(noted);
        } catch (...) {  // no memory for a note: the launch counts more
        }
    }

private:
    bool times_wanted() noexcept {
        const std::lock_guard lock(mutex);
        return std::any_of(open_.begin(), open_.end(), [](const LaunchLog::State* log) { return log->times; });
    }
    static std::shared_ptr<DeviceEvent> marked(Backend& backend, int device, void* stream) noexcept {
        try {
            auto mark = std::make_shared<DeviceEvent>(backend, device);
            mark->record(stream);
            return mark;
        } catch (...) {
            return nullptr;
        }
    }
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
            one.entry.device_us = detail::us_between(*one.start, *one.stop);
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
