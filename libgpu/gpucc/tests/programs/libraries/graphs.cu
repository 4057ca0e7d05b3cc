// SPDX-License-Identifier: MIT
// Graphs: by capture, of one stream and of two; by nodes; launched again with other values.
#include <cstdio>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        const cudaError_t error = (call);                                                \
        if (error != cudaSuccess) printf("%d: %s\n", __LINE__, cudaGetErrorName(error)); \
    } while (0)

__global__ void add(float* x, float by, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += by;
}
__global__ void join(const float* a, const float* b, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + 100 * b[i];
}
static void CUDART_CB count_up(void* counter) { ++*(int*)counter; }

int main() {
    const int n = 1000;
    const size_t bytes = n * sizeof(float);
    float *a, *b, *sum, *host;
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMalloc(&sum, bytes));
    CHECK(cudaMallocHost(&host, bytes));
    cudaStream_t stream, other;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamCreate(&other));
    cudaEvent_t fork, joined;
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));

    // Nothing runs while the stream captures.
    cudaGraph_t graph;
    cudaStreamCaptureStatus status;
    for (int i = 0; i < n; ++i) host[i] = 1;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemcpyAsync(a, host, bytes, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemsetAsync(b, 0, bytes, stream));
    CHECK(cudaEventRecord(fork, stream));
    CHECK(cudaStreamWaitEvent(other, fork, 0));
    for (float by = 1; by < 4; ++by) add<<<4, 256, 0, stream>>>(a, by, n);
    add<<<4, 256, 0, other>>>(b, 5.0f, n);
    CHECK(cudaEventRecord(joined, other));
    CHECK(cudaStreamWaitEvent(stream, joined, 0));
    join<<<4, 256, 0, stream>>>(a, b, sum, n);
    CHECK(cudaMemcpyAsync(host, sum, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamIsCapturing(stream, &status));
    printf("capturing %d, ", int(status));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaStreamIsCapturing(stream, &status));
    size_t nodes = 0, roots = 0;
    CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
    CHECK(cudaGraphGetRootNodes(graph, NULL, &roots));
    printf("then %d; %zu nodes, %zu root, host[0] is %g\n", int(status), nodes, roots, host[0]);

    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, NULL, NULL, 0));
    for (int round = 0; round < 2; ++round) {
        CHECK(cudaGraphLaunch(executable, stream));
        CHECK(cudaStreamSynchronize(stream));
        printf("round %d: %g %g\n", round, host[0], host[n - 1]);
    }
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));

    // Nodes by hand: set, twice a kernel, copy, host.
    int calls = 0;
    float by = 2.5f;
    int count = n;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t set, first, second, copy, last;
    cudaMemsetParams clear = {};
    clear.dst = a;
    clear.value = 0x3f800000;  // 1.0f
    clear.elementSize = 4;
    clear.width = n;
    clear.height = 1;
    CHECK(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &clear));
    void* arguments[] = {&a, &by, &count};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void*)add;
    kernel.gridDim = dim3(4);
    kernel.blockDim = dim3(256);
    kernel.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&first, graph, &set, 1, &kernel));
    by = 4;  // the node has its own copy of the first value
    CHECK(cudaGraphAddKernelNode(&second, graph, &first, 1, &kernel));
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &second, 1, host, a, bytes, cudaMemcpyDeviceToHost));
    cudaHostNodeParams call = {};
    call.fn = count_up;
    call.userData = &calls;
    CHECK(cudaGraphAddHostNode(&last, graph, &copy, 1, &call));
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(copy, &type));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("by nodes %g, type %d, %d calls of the host\n", host[7], int(type), calls);
    by = 10;
    CHECK(cudaGraphExecKernelNodeSetParams(executable, second, &kernel));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("with another value %g\n", host[7]);
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));

    // What a capture refuses.
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    add<<<4, 256, 0, stream>>>(a, 1.0f, n);
    printf("%s, ", cudaGetErrorName(cudaStreamSynchronize(stream)));
    printf("%s, ", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
    printf("graph %s\n", graph == NULL ? "null" : "there");
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaEventRecord(fork, stream));
    CHECK(cudaStreamWaitEvent(other, fork, 0));
    add<<<4, 256, 0, other>>>(b, 1.0f, n);
    printf("%s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
    cudaGetLastError();

    CHECK(cudaEventDestroy(fork));
    CHECK(cudaEventDestroy(joined));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaStreamDestroy(other));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(sum));
    CHECK(cudaFreeHost(host));
    CHECK(cudaDeviceSynchronize());
    return 0;
}
