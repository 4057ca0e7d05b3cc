// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include <cuda_runtime_api.h>

#include "gpucc/runtime/program.hpp"

/// A piece of a graph's work.
struct CUgraphNode_st {
    cudaGraphNodeType type;
    std::function<cudaError_t(cudaStream_t stream)> work;
    std::set<cudaGraphNode_t> after;  ///< the nodes that it depends on
};

/// A graph: its nodes in the order in which they were made.
struct CUgraph_st {
    std::vector<std::shared_ptr<CUgraphNode_st>> nodes;
};

namespace gpucc {

/// What a stream, and those that join it, are asked for between cudaStreamBeginCapture() and cudaStreamEndCapture().
struct Capture {
    cudaGraph_t graph = nullptr;
    cudaStream_t origin = nullptr;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    std::thread::id thread;
    unsigned long long id = 0;
    bool is_broken = false;
    /// The last nodes of each stream: the next one depends on them.
    std::map<cudaStream_t, std::set<cudaGraphNode_t>> last;
};

using NodeWork = std::function<cudaError_t(cudaStream_t stream)>;

/// True while any stream captures.
[[nodiscard]] bool is_any_capture_open();
/// Where the stream captures, notes the work for its graph and returns what the call returns; nothing if it doesn't.
[[nodiscard]] std::optional<cudaError_t> captured(cudaStream_t stream, cudaGraphNodeType type, const Call& call,
                                                  NodeWork work);
/// The error of a call that no capture can have: one that waits for the stream. Nothing if the stream doesn't capture.
[[nodiscard]] std::optional<cudaError_t> refused_in_capture(cudaStream_t stream, const Call& call);
/// The error of a call that waits for all streams or for the system, while a capture of this thread forbids it.
[[nodiscard]] std::optional<cudaError_t> refused_while_capturing(const Call& call);
/// The same of an event that was recorded in a capture.
[[nodiscard]] std::optional<cudaError_t> refused_for_captured(cudaEvent_t event, const Call& call);

/// An event is recorded in a stream: true if that was captured.
[[nodiscard]] std::optional<cudaError_t> captured_record(cudaEvent_t event, cudaStream_t stream);
/// A stream waits for an event: if the event belongs to a capture, the stream joins it.
[[nodiscard]] std::optional<cudaError_t> captured_wait(cudaStream_t stream, cudaEvent_t event, const Call& call);

/// A launch as work for a graph: with copies of the kernel's arguments. Null: this is the address of no kernel.
[[nodiscard]] NodeWork launch_work(const cudaKernelNodeParams& parameters, const Call& call);
/// A copy as work for a graph.
[[nodiscard]] NodeWork copy_work(const cudaMemcpy3DParms& copy, const Call& call);

}  // namespace gpucc
