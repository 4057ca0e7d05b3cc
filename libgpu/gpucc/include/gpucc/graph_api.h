// SPDX-License-Identifier: MIT
#pragma once

// Graphs: the functions, included by cuda_runtime_api.h. A graph's nodes run one after another, in an order that their
// dependencies allow.

struct cudaKernelNodeParams {
    void* func;
    dim3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void** kernelParams;
    void** extra;
};

GPUCC_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode, GPUCC_PLACE);
GPUCC_API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph, GPUCC_PLACE);
GPUCC_API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status, GPUCC_PLACE);
GPUCC_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                               unsigned long long* id = nullptr, cudaGraph_t* graph = nullptr,
                                               const cudaGraphNode_t** dependencies = nullptr,
                                               const cudaGraphEdgeData** edges = nullptr, size_t* count = nullptr,
                                               GPUCC_PLACE);
GPUCC_API cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode);

GPUCC_API cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGraphDestroy(cudaGraph_t graph, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             const cudaKernelNodeParams* parameters, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             const cudaMemcpy3DParms* copy, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* dependencies, size_t count, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             const cudaMemsetParams* parameters, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count,
                                           const cudaHostNodeParams* parameters, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                            const cudaGraphNode_t* dependencies, size_t count, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                 const cudaGraphNode_t* dependencies, size_t count, cudaGraph_t child,
                                                 GPUCC_PLACE);
GPUCC_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, const cudaGraphEdgeData* edges, size_t count,
                                               GPUCC_PLACE);
GPUCC_API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type, GPUCC_PLACE);

namespace gpucc {
/// The caller's place as one argument: the two forms of cudaGraphInstantiate() differ in their number.
struct CallPlace {
    const char* file;
    int line;
};
GPUCC_API cudaError_t instantiate(cudaGraphExec_t* executable, cudaGraph_t graph, CallPlace place);
}  // namespace gpucc
#define GPUCC_CALL_PLACE gpucc::CallPlace place = {__builtin_FILE(), __builtin_LINE()}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long = 0,
                                        GPUCC_CALL_PLACE) {
    return gpucc::instantiate(executable, graph, place);
}
/// The form before CUDA 12.
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t* error_node,
                                        char* log, size_t log_bytes, GPUCC_CALL_PLACE) {
    if (error_node != nullptr) *error_node = nullptr;
    if (log != nullptr && log_bytes > 0) *log = '\0';
    return gpucc::instantiate(executable, graph, place);
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long = 0,
                                                 GPUCC_CALL_PLACE) {
    return gpucc::instantiate(executable, graph, place);
}
#undef GPUCC_CALL_PLACE
GPUCC_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                          cudaGraphExecUpdateResultInfo* result, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                       const cudaKernelNodeParams* parameters, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable, GPUCC_PLACE);
