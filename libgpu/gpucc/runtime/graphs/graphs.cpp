// SPDX-License-Identifier: MIT
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "gpucc/runtime/graphs/graph.hpp"
#include "gpucc/runtime/memory.hpp"
#include "gpucc/runtime/stream.hpp"

/// What a graph has become: its nodes' work, in an order that their dependencies allow.
struct CUgraphExec_st {
    struct Step {
        cudaGraphNode_t node;
        cudaGraphNodeType type;
        gpucc::NodeWork work;
    };
    std::vector<Step> steps;
};

namespace gpucc {

namespace {

// Each node after those that it depends on; empty if they depend on one another in a ring.
std::vector<CUgraphExec_st::Step> steps_of(const CUgraph_st& graph) {
    std::vector<CUgraphExec_st::Step> steps;
    std::set<cudaGraphNode_t> done;
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (const auto& node : graph.nodes) {
            const bool is_ready = std::includes(done.begin(), done.end(), node->after.begin(), node->after.end());
            if (!is_ready || !done.insert(node.get()).second) continue;
            steps.push_back({node.get(), node->type, node->work});
            goes_on = true;
        }
    }
    if (steps.size() < graph.nodes.size()) steps.clear();
    return steps;
}

cudaError_t run_steps(const std::vector<CUgraphExec_st::Step>& steps, cudaStream_t stream) {
    for (const CUgraphExec_st::Step& step : steps)
        if (step.work != nullptr)
            if (const cudaError_t error = step.work(stream); error != cudaSuccess) return error;
    return cudaSuccess;
}

// Makes a node, with its dependencies checked.
cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, std::size_t count,
                     cudaGraphNodeType type, NodeWork work, const Call& call) {
    Program& program = Program::get();
    if (node == nullptr || graph == nullptr) return program.fail(cudaErrorInvalidValue, call, "the graph is null");
    std::set<cudaGraphNode_t> after;
    for (std::size_t k = 0; k < count; ++k) {
        const bool is_ours = std::any_of(graph->nodes.begin(), graph->nodes.end(),
                                         [&](const auto& other) { return other.get() == dependencies[k]; });
        if (!is_ours) return program.fail(cudaErrorInvalidValue, call, "a dependency is no node of this graph");
        after.insert(dependencies[k]);
    }
    graph->nodes.push_back(std::make_shared<CUgraphNode_st>(CUgraphNode_st{type, std::move(work), std::move(after)}));
    *node = graph->nodes.back().get();
    return cudaSuccess;
}

cudaError_t list(const std::vector<cudaGraphNode_t>& found, cudaGraphNode_t* nodes, std::size_t* count) {
    if (nodes != nullptr) {
        std::copy_n(found.begin(), std::min(found.size(), *count), nodes);
        std::fill(nodes + std::min(found.size(), *count), nodes + *count, nullptr);
    }
    *count = nodes == nullptr ? found.size() : std::min(found.size(), *count);
    return cudaSuccess;
}

// Elements of 1, 2 or 4 bytes, in rows.
cudaError_t set_elements(const cudaMemsetParams& to, cudaStream_t stream, const Call& call) {
    const std::size_t size = to.elementSize;
    if (size == 1) return fill_rows(to.dst, to.pitch, static_cast<int>(to.value), to.width, to.height, stream, call);
    const std::size_t width = to.width * size;
    std::vector<unsigned char> rows(width * to.height);
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<unsigned char>(to.value >> (8 * (k % size)));
    return copy_rows({to.dst, to.pitch, rows.data(), width, width, to.height}, cudaMemcpyHostToDevice, stream, true,
                     call);
}

}  // namespace

cudaError_t instantiate(cudaGraphExec_t* executable, cudaGraph_t graph, CallPlace place) {
    const Call call{"cudaGraphInstantiate", place.file, place.line};
    if (executable == nullptr || graph == nullptr)
        return Program::get().fail(cudaErrorInvalidValue, call, "the graph is null");
    std::vector<CUgraphExec_st::Step> steps = steps_of(*graph);
    if (steps.size() < graph->nodes.size())
        return Program::get().fail(cudaErrorInvalidValue, call, "the graph's nodes depend on one another in a ring");
    *executable = new CUgraphExec_st{std::move(steps)};
    return cudaSuccess;
}

}  // namespace gpucc

using namespace gpucc;

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags, const char* file, int line) {
    GPUCC_CALL;
    if (graph == nullptr || flags != 0) return Program::get().fail(cudaErrorInvalidValue, call, "flags must be 0");
    *graph = new CUgraph_st;
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph, const char* file, int line) {
    GPUCC_CALL;
    if (graph == nullptr) return Program::get().fail(cudaErrorInvalidValue, call, "the graph is null");
    delete graph;
    return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph, const char* file, int line) {
    GPUCC_CALL;
    if (clone == nullptr || graph == nullptr) return Program::get().fail(cudaErrorInvalidValue, call);
    std::unordered_map<cudaGraphNode_t, cudaGraphNode_t> copies;
    *clone = new CUgraph_st;
    for (const auto& node : graph->nodes) {
        (*clone)->nodes.push_back(std::make_shared<CUgraphNode_st>(*node));
        copies[node.get()] = (*clone)->nodes.back().get();
    }
    for (const auto& node : (*clone)->nodes) {
        std::set<cudaGraphNode_t> after;
        for (const cudaGraphNode_t other : node->after) after.insert(copies.at(other));
        node->after = std::move(after);
    }
    return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaKernelNodeParams* parameters, const char* file, int line) {
    GPUCC_CALL;
    if (parameters == nullptr) return Program::get().fail(cudaErrorInvalidValue, call, "the parameters are null");
    NodeWork work = launch_work(*parameters, call);
    if (work == nullptr)
        return Program::get().fail(cudaErrorInvalidDeviceFunction, call, "func is the address of no kernel");
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeKernel, std::move(work), call);
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaMemcpy3DParms* copy, const char* file, int line) {
    GPUCC_CALL;
    if (copy == nullptr) return Program::get().fail(cudaErrorInvalidValue, call, "the parameters are null");
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy, copy_work(*copy, call), call);
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                     const char* file, int line) {
    GPUCC_CALL;
    return add_node(
        node, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
        [=](cudaStream_t stream) {
            return copy_rows({to, bytes, from, bytes, bytes, 1}, kind, stream, false, call);
        },
        call);
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaMemsetParams* parameters, const char* file, int line) {
    GPUCC_CALL;
    if (parameters == nullptr) return Program::get().fail(cudaErrorInvalidValue, call, "the parameters are null");
    const cudaMemsetParams to = *parameters;
    if (to.elementSize != 1 && to.elementSize != 2 && to.elementSize != 4)
        return Program::get().fail(cudaErrorInvalidValue, call,
                                   "elementSize is " + std::to_string(to.elementSize) +
                                       ": elements have 1, 2 or 4 "
                                       "bytes");
    return add_node(
        node, graph, dependencies, count, cudaGraphNodeTypeMemset,
        [=](cudaStream_t stream) { return set_elements(to, stream, call); }, call);
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                 size_t count, const cudaHostNodeParams* parameters, const char* file, int line) {
    GPUCC_CALL;
    if (parameters == nullptr || parameters->fn == nullptr)
        return Program::get().fail(cudaErrorInvalidValue, call, "the function is null");
    return add_node(
        node, graph, dependencies, count, cudaGraphNodeTypeHost,
        [=, of = *parameters](cudaStream_t stream) {
            return cudaLaunchHostFunc(stream, of.fn, of.userData, call.file, call.line);
        },
        call);
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                  size_t count, const char* file, int line) {
    GPUCC_CALL;
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeEmpty, nullptr, call);
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                       size_t count, cudaGraph_t child, const char* file, int line) {
    GPUCC_CALL;
    if (child == nullptr) return Program::get().fail(cudaErrorInvalidValue, call, "the graph is null");
    return add_node(
        node, graph, dependencies, count, cudaGraphNodeTypeGraph,
        [steps = steps_of(*child)](cudaStream_t stream) { return run_steps(steps, stream); }, call);
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData*, size_t count, const char* file, int line) {
    GPUCC_CALL;
    if (graph == nullptr) return Program::get().fail(cudaErrorInvalidValue, call, "the graph is null");
    for (std::size_t k = 0; k < count; ++k) to[k]->after.insert(from[k]);
    return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count, const char* file, int line) {
    GPUCC_CALL;
    if (graph == nullptr || count == nullptr) return Program::get().fail(cudaErrorInvalidValue, call);
    std::vector<cudaGraphNode_t> found;
    for (const auto& node : graph->nodes) found.push_back(node.get());
    return list(found, nodes, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count, const char* file,
                                  int line) {
    GPUCC_CALL;
    if (graph == nullptr || count == nullptr) return Program::get().fail(cudaErrorInvalidValue, call);
    std::vector<cudaGraphNode_t> found;
    for (const auto& node : graph->nodes)
        if (node->after.empty()) found.push_back(node.get());
    return list(found, nodes, count);
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type, const char* file, int line) {
    GPUCC_CALL;
    if (node == nullptr || type == nullptr) return Program::get().fail(cudaErrorInvalidValue, call);
    *type = node->type;
    return cudaSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result,
                                const char* file, int line) {
    GPUCC_CALL;
    if (executable == nullptr || graph == nullptr || result == nullptr)
        return Program::get().fail(cudaErrorInvalidValue, call);
    std::vector<CUgraphExec_st::Step> steps = steps_of(*graph);
    *result = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
    if (steps.size() != executable->steps.size()) {
        result->result = cudaGraphExecUpdateErrorTopologyChanged;
    } else {
        for (std::size_t k = 0; k < steps.size(); ++k)
            if (steps[k].type != executable->steps[k].type) {
                result->result = cudaGraphExecUpdateErrorNodeTypeChanged;
                result->errorNode = steps[k].node;
            }
    }
    if (result->result != cudaGraphExecUpdateSuccess)
        return Program::get().fail(cudaErrorGraphExecUpdateFailure, call, "the graph has other nodes");
    executable->steps = std::move(steps);
    return cudaSuccess;
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters, const char* file, int line) {
    GPUCC_CALL;
    if (executable == nullptr || parameters == nullptr) return Program::get().fail(cudaErrorInvalidValue, call);
    const auto found = std::find_if(executable->steps.begin(), executable->steps.end(),
                                    [&](const CUgraphExec_st::Step& step) { return step.node == node; });
    if (found == executable->steps.end() || found->type != cudaGraphNodeTypeKernel)
        return Program::get().fail(cudaErrorInvalidValue, call, "this node of the graph isn't a kernel's");
    NodeWork work = launch_work(*parameters, call);
    if (work == nullptr)
        return Program::get().fail(cudaErrorInvalidDeviceFunction, call, "func is the address of no kernel");
    found->work = std::move(work);
    return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream, const char* file, int line) {
    GPUCC_CALL;
    if (executable == nullptr || !is_stream(stream)) return Program::get().fail(cudaErrorInvalidValue, call);
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream, const char* file, int line) {
    GPUCC_CALL;
    if (executable == nullptr) return Program::get().fail(cudaErrorInvalidValue, call, "the graph is null");
    if (!is_stream(stream))
        return Program::get().fail(cudaErrorInvalidResourceHandle, call, "its stream doesn't exist (any more)");
    const auto noted = captured(stream, cudaGraphNodeTypeGraph, call,
                                [steps = executable->steps](cudaStream_t other) { return run_steps(steps, other); });
    return noted ? *noted : run_steps(executable->steps, stream);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable, const char* file, int line) {
    GPUCC_CALL;
    if (executable == nullptr) return Program::get().fail(cudaErrorInvalidValue, call, "the graph is null");
    delete executable;
    return cudaSuccess;
}
