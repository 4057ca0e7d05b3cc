// SPDX-License-Identifier: MIT
#include "cuda/launch/graphs.hpp"

#include <string>

#include <gpu/error.hpp>

namespace gpu::detail::cuda {

cudaStream_t begin_capture() {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    const cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    if (error != cudaSuccess) {
        (void)cudaStreamDestroy(stream);
        fail(error, "cudaStreamBeginCapture");
    }
    return stream;
}

void cancel_capture(cudaStream_t stream) noexcept {
    cudaGraph_t graph = nullptr;
    (void)cudaStreamEndCapture(stream, &graph);
    if (graph != nullptr) (void)cudaGraphDestroy(graph);
    (void)cudaStreamDestroy(stream);
    (void)cudaGetLastError();
}

InstantiatedGraph::InstantiatedGraph(cudaStream_t stream) {
    cudaError_t error = cudaStreamEndCapture(stream, &graph_);
    (void)cudaStreamDestroy(stream);
    if (error == cudaSuccess) error = cudaGraphInstantiate(&instance_, graph_, 0);
    if (error == cudaSuccess) return;
    if (graph_ != nullptr) (void)cudaGraphDestroy(graph_);
    fail(error, "GraphCapture::end: what was captured can't become a graph");
}

InstantiatedGraph::~InstantiatedGraph() {
    if (launched_) (void)cudaDeviceSynchronize();
    (void)cudaGraphExecDestroy(instance_);
    (void)cudaGraphDestroy(graph_);
}

void InstantiatedGraph::launch(cudaStream_t stream) {
    launched_ = true;
    check(cudaGraphLaunch(instance_, stream), "cudaGraphLaunch");
}

}  // namespace gpu::detail::cuda
