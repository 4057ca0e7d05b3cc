// SPDX-License-Identifier: MIT
#include "runtime/graph.hpp"

#include <gpu/graph.hpp>

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gpu/error.hpp>

#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu {

namespace detail {

/// A piece of work with copies of the names that it points to.
struct NotedWork {
    explicit NotedWork(const CountedWork& counted) : work(counted) {
        if (counted.kernel != nullptr) kernel = *counted.kernel;
        if (counted.dtype != nullptr) dtype = *counted.dtype;
        if (counted.problem != nullptr) problem = *counted.problem;
    }
    void count() const noexcept {
        CountedWork again = work;
        if (work.kernel != nullptr) again.kernel = &kernel;
        if (work.dtype != nullptr) again.dtype = &dtype;
        if (work.problem != nullptr) again.problem = &problem;
        count_work(again);
    }

    CountedWork work;
    std::string kernel, problem;
    DType dtype = DType::float32;
};

/// A capture's notes besides the operations themselves.
struct CaptureNotes {
    Device device;
    const void* stream;
    std::unordered_map<Storage*, std::shared_ptr<Storage>> kept;
    std::unordered_set<Storage*> written;
    std::vector<NotedWork> works;
};

static thread_local CaptureNotes* notes = nullptr;  // of this thread's capture

void keep_for_graph(const std::shared_ptr<Storage>& storage) { notes->kept.emplace(storage.get(), storage); }

void written_by_graph(Storage& storage) { notes->written.insert(&storage); }

bool counted_by_graph(const CountedWork& work) {
    using Kind = LedgerEntry::Kind;
    const bool is_captured = work.kind == Kind::launch || work.kind == Kind::copy_on_device ||
                             work.kind == Kind::copy_to_device || work.kind == Kind::copy_to_host;
    if (is_captured) notes->works.emplace_back(work);
    return is_captured;
}

void check_captured_stream(Device device, const void* stream) {
    if (device == notes->device && stream == notes->stream) return;
    throw Error("work for another stream or device isn't in the graph: end the gpu::GraphCapture first");
}

void refuse_in_capture(const char* operation, const char* advice) {
    if (!is_capturing()) return;
    throw Error(std::string(operation) + ": not while a gpu::GraphCapture notes what this thread launches: " + advice);
}

}  // namespace detail

struct Graph::State {
    State(Device on, detail::NativeGraph* made, detail::CaptureNotes&& noted)
        : device(on), native(made), notes(std::move(noted)) {
        std::erase_if(notes.written, [&](detail::Storage* storage) { return notes.kept.count(storage) == 0; });
    }
    ~State() { detail::backend(device).destroy_graph(device.index(), native); }  // before the arrays
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    Device device;
    detail::NativeGraph* native;
    detail::CaptureNotes notes;
};

void Graph::replay(StreamRef stream) const {
    if (state_ == nullptr) {
        throw Error("Graph::replay: the graph is empty or was moved from; gpu::GraphCapture::end() makes one");
    }
    detail::refuse_in_capture("Graph::replay", "end() it first");
    const Device device = state_->device;
    detail::backend(device).replay(device.index(), state_->native, detail::native_stream(stream, device));
    for (const detail::NotedWork& work : state_->notes.works) work.count();
    for (detail::Storage* storage : state_->notes.written) storage->mark_written();
}

struct GraphCapture::State {
    explicit State(Device on)
        : device(on),
          native(detail::backend(on).begin_capture(on.index())),
          notes{.device = on, .stream = native, .kept = {}, .written = {}, .works = {}},
          guard(std::in_place, StreamRef::from_native(native, on)) {
        detail::notes = &notes;
        detail::set_capturing(true);
    }
    ~State() {
        leave();
        if (native != nullptr) detail::backend(device).cancel_capture(device.index(), native);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void leave() noexcept {
        if (!guard) return;
        detail::set_capturing(false);
        detail::notes = nullptr;
        guard.reset();
    }

    Device device;
    void* native;
    detail::CaptureNotes notes;
    std::optional<StreamGuard> guard;
};

GraphCapture::GraphCapture() {
    detail::refuse_in_capture("GraphCapture", "end() that one first");
    state_ = std::make_unique<State>(detail::current_device());
}

GraphCapture::~GraphCapture() = default;

Graph GraphCapture::end() {
    if (state_ == nullptr) throw Error("GraphCapture::end: this capture has ended already");
    if (detail::notes != &state_->notes) throw Error("GraphCapture::end: another thread began this capture");
    const std::unique_ptr<State> capture = std::move(state_);
    capture->leave();
    const Device device = capture->device;
    detail::NativeGraph* const made =
        detail::backend(device).end_capture(device.index(), std::exchange(capture->native, nullptr));
    Graph graph;
    graph.state_ = std::make_shared<const Graph::State>(device, made, std::move(capture->notes));
    return graph;
}

}  // namespace gpu
