// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <list>
#include <utility>

#include "gpucc/runtime/graphs/graph.hpp"
#include "gpucc/runtime/stream.hpp"

// Captures: what streams are asked for becomes a graph.
namespace gpucc {

namespace {

/// The captures in progress.
struct Captures {
    std::mutex mutex;
    std::list<std::shared_ptr<Capture>> open;
    unsigned long long made = 0;

    static Captures& get() {
        static Captures* const captures = new Captures;  // never destroyed
        return *captures;
    }
    [[nodiscard]] std::shared_ptr<Capture> of(cudaStream_t stream) const {
        for (const std::shared_ptr<Capture>& one : open)
            if (one->last.count(stream) != 0) return one;
        return nullptr;
    }
};
std::atomic<int> open_count{0};
thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

bool is_legacy(cudaStream_t stream) { return stream == nullptr || stream == cudaStreamLegacy; }

// A capture of a stream that the default one waits for; null if there is none.
std::shared_ptr<Capture> blocking(const Captures& captures) {
    for (const std::shared_ptr<Capture>& one : captures.open)
        for (const auto& [stream, nodes] : one->last)
            if ((stream->flags & cudaStreamNonBlocking) == 0) return one;
    return nullptr;
}

constexpr const char* invalidated = "the capture has failed before: cudaStreamEndCapture() ends it";

}  // namespace

bool is_any_capture_open() { return open_count.load(std::memory_order_relaxed) > 0; }

std::optional<cudaError_t> captured(cudaStream_t stream, cudaGraphNodeType type, const Call& call, NodeWork work) {
    if (!is_any_capture_open()) return std::nullopt;
    Captures& captures = Captures::get();
    std::unique_lock lock(captures.mutex);
    if (is_legacy(stream)) {
        const std::shared_ptr<Capture> other = blocking(captures);
        if (other == nullptr) return std::nullopt;
        other->is_broken = true;
        lock.unlock();
        return Program::get().fail(cudaErrorStreamCaptureImplicit, call,
                                   "a stream is capturing, and this call is for the default stream, which waits for "
                                   "it: give the call the capturing stream, or make that with cudaStreamNonBlocking");
    }
    const std::shared_ptr<Capture> capture = captures.of(stream);
    if (capture == nullptr) return std::nullopt;
    if (capture->is_broken) {
        lock.unlock();
        return Program::get().fail(cudaErrorStreamCaptureInvalidated, call, invalidated);
    }
    std::set<cudaGraphNode_t>& last = capture->last[stream];
    capture->graph->nodes.push_back(
        std::make_shared<CUgraphNode_st>(CUgraphNode_st{type, std::move(work), std::move(last)}));
    last = {capture->graph->nodes.back().get()};
    return cudaSuccess;
}

std::optional<cudaError_t> refused_in_capture(cudaStream_t stream, const Call& call) {
    if (!is_any_capture_open()) return std::nullopt;
    Captures& captures = Captures::get();
    std::unique_lock lock(captures.mutex);
    const std::shared_ptr<Capture> capture = is_legacy(stream) ? blocking(captures) : captures.of(stream);
    if (capture == nullptr) return std::nullopt;
    capture->is_broken = true;
    lock.unlock();
    return Program::get().fail(is_legacy(stream) ? cudaErrorStreamCaptureImplicit : cudaErrorStreamCaptureUnsupported,
                               call, "a stream is capturing: nothing that it is asked for is done yet");
}

std::optional<cudaError_t> refused_while_capturing(const Call& call) {
    if (!is_any_capture_open()) return std::nullopt;
    Captures& captures = Captures::get();
    std::unique_lock lock(captures.mutex);
    for (const std::shared_ptr<Capture>& one : captures.open) {
        const bool is_mine = one->thread == std::this_thread::get_id();
        if (thread_mode == cudaStreamCaptureModeRelaxed || one->mode == cudaStreamCaptureModeRelaxed) continue;
        if (!is_mine && (one->mode != cudaStreamCaptureModeGlobal || thread_mode != cudaStreamCaptureModeGlobal))
            continue;
        one->is_broken = true;
        lock.unlock();
        return Program::get().fail(cudaErrorStreamCaptureUnsupported, call,
                                   "a stream is capturing: call this before cudaStreamBeginCapture() or after "
                                   "cudaStreamEndCapture()");
    }
    return std::nullopt;
}

std::optional<cudaError_t> refused_for_captured(cudaEvent_t event, const Call& call) {
    const std::shared_ptr<Capture> capture = event->capture.lock();
    if (capture == nullptr) return std::nullopt;
    {
        const std::lock_guard lock(Captures::get().mutex);
        capture->is_broken = true;
    }
    return Program::get().fail(cudaErrorCapturedEvent, call, "the event was recorded in a stream that is capturing");
}

std::optional<cudaError_t> captured_record(cudaEvent_t event, cudaStream_t stream) {
    if (!is_any_capture_open()) return std::nullopt;
    Captures& captures = Captures::get();
    const std::lock_guard lock(captures.mutex);
    const std::shared_ptr<Capture> capture = captures.of(stream);
    event->capture = capture;
    if (capture == nullptr) return std::nullopt;
    event->captured = capture->last[stream];
    return cudaSuccess;
}

std::optional<cudaError_t> captured_wait(cudaStream_t stream, cudaEvent_t event, const Call& call) {
    if (!is_any_capture_open()) return std::nullopt;
    Captures& captures = Captures::get();
    std::unique_lock lock(captures.mutex);
    const std::shared_ptr<Capture> of_event = event->capture.lock(), of_stream = captures.of(stream);
    if (of_event == nullptr && of_stream == nullptr) return std::nullopt;
    const auto broken = [&](cudaError_t error, const char* why) {
        for (const std::shared_ptr<Capture>& one : {of_event, of_stream})
            if (one != nullptr) one->is_broken = true;
        lock.unlock();
        return Program::get().fail(error, call, why);
    };
    if (of_event == nullptr) {
        if (!event->is_recorded) return cudaSuccess;
        return broken(cudaErrorStreamCaptureIsolation,
                      "the stream is capturing, and the event was recorded outside of the capture");
    }
    if (of_stream != nullptr && of_stream != of_event)
        return broken(cudaErrorStreamCaptureMerge, "the event belongs to another capture");
    if (is_legacy(stream)) return broken(cudaErrorStreamCaptureImplicit, "the default stream can't join a capture");
    of_event->last[stream].insert(event->captured.begin(), event->captured.end());
    return cudaSuccess;
}

namespace {

// True if each of the streams' work comes before the end of the first one's.
bool is_joined(const Capture& capture) {
    std::set<cudaGraphNode_t> before = capture.last.at(capture.origin);
    std::vector<cudaGraphNode_t> waiting(before.begin(), before.end());
    while (!waiting.empty()) {
        const cudaGraphNode_t node = waiting.back();
        waiting.pop_back();
        for (const cudaGraphNode_t other : node->after)
            if (before.insert(other).second) waiting.push_back(other);
    }
    return std::all_of(capture.last.begin(), capture.last.end(), [&](const auto& stream) {
        return std::includes(before.begin(), before.end(), stream.second.begin(), stream.second.end());
    });
}

}  // namespace

}  // namespace gpucc

using namespace gpucc;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode, const char* file, int line) {
    GPUCC_CALL;
    Program& program = Program::get();
    if (!is_stream(stream)) return program.fail(cudaErrorInvalidResourceHandle, call, "this stream doesn't exist");
    if (is_legacy(stream) || stream == cudaStreamPerThread)
        return program.fail(cudaErrorStreamCaptureUnsupported, call,
                            "the default stream can't capture: make one with cudaStreamCreate()");
    Captures& captures = Captures::get();
    std::unique_lock lock(captures.mutex);
    if (captures.of(stream) != nullptr) {
        lock.unlock();
        return program.fail(cudaErrorIllegalState, call, "this stream is capturing already");
    }
    const auto made = std::make_shared<Capture>();
    made->graph = new CUgraph_st;
    made->origin = stream;
    made->mode = mode;
    made->thread = std::this_thread::get_id();
    made->id = ++captures.made;
    made->last[stream];
    captures.open.push_back(made);
    ++open_count;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph, const char* file, int line) {
    GPUCC_CALL;
    Program& program = Program::get();
    if (graph == nullptr) return program.fail(cudaErrorInvalidValue, call, "the graph's address is null");
    Captures& captures = Captures::get();
    std::unique_lock lock(captures.mutex);
    const std::shared_ptr<Capture> capture = captures.of(stream);
    const auto failed = [&](cudaError_t error, const char* why) {
        lock.unlock();
        return program.fail(error, call, why);
    };
    if (capture == nullptr) return failed(cudaErrorIllegalState, "this stream isn't capturing");
    if (capture->origin != stream)
        return failed(cudaErrorStreamCaptureUnmatched, "the capture began in another stream");
    if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id())
        return failed(cudaErrorStreamCaptureWrongThread, "another thread began this capture");
    captures.open.remove(capture);
    --open_count;
    const bool is_whole = !capture->is_broken && is_joined(*capture);
    if (is_whole) {
        *graph = capture->graph;
        return cudaSuccess;
    }
    *graph = nullptr;
    delete capture->graph;
    if (capture->is_broken) return failed(cudaErrorStreamCaptureInvalidated, "a call during the capture has failed");
    return failed(cudaErrorStreamCaptureUnjoined,
                  "another stream has joined the capture and does work that this one doesn't wait for: record an event "
                  "there, and let this stream wait for it with cudaStreamWaitEvent()");
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* count, const char* file, int line) {
    GPUCC_CALL;
    if (status == nullptr || !is_stream(stream)) return Program::get().fail(cudaErrorInvalidValue, call);
    Captures& captures = Captures::get();
    const std::lock_guard lock(captures.mutex);
    const std::shared_ptr<Capture> capture = captures.of(stream);
    *status = capture == nullptr   ? cudaStreamCaptureStatusNone
              : capture->is_broken ? cudaStreamCaptureStatusInvalidated
                                   : cudaStreamCaptureStatusActive;
    if (capture == nullptr) return cudaSuccess;
    thread_local std::vector<cudaGraphNode_t> nodes;
    nodes.assign(capture->last[stream].begin(), capture->last[stream].end());
    if (id != nullptr) *id = capture->id;
    if (graph != nullptr) *graph = capture->graph;
    if (dependencies != nullptr) *dependencies = nodes.data();
    if (edges != nullptr) *edges = nullptr;
    if (count != nullptr) *count = nodes.size();
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status, const char* file, int line) {
    return cudaStreamGetCaptureInfo(stream, status, nullptr, nullptr, nullptr, nullptr, nullptr, file, line);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    std::swap(*mode, thread_mode);
    return cudaSuccess;
}
