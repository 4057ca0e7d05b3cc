// SPDX-License-Identifier: MIT
// What functions return for mistakes, and how an error stays until somebody asks.
#include <cstdio>

__global__ void nothing() {}

static void show(const char* what, cudaError_t error) {
    printf("%-28s %d %s: %s\n", what, int(error), cudaGetErrorName(error), cudaGetErrorString(error));
}

int main() {
    show("no error yet", cudaGetLastError());
    nothing<<<1, 2048>>>();
    show("block too large, peek", cudaPeekAtLastError());
    show("block too large", cudaGetLastError());
    show("asked again", cudaGetLastError());
    nothing<<<0, 32>>>();
    show("no blocks", cudaGetLastError());
    nothing<<<dim3(1, 70000), 32>>>();
    show("grid too high", cudaGetLastError());
    nothing<<<1, 32, 100000>>>();
    show("too much shared memory", cudaGetLastError());
    show("so much is asked for", cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    nothing<<<1, 32, 100000>>>();
    show("and launched", cudaGetLastError());
    int* memory = nullptr;
    int host[8] = {};
    show("malloc", cudaMalloc(&memory, 4 * sizeof(int)));
    show("too many bytes", cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice));
    show("free", cudaFree(memory));
    show("free of null", cudaFree(nullptr));
    show("free of host memory", cudaFree(host));
    (void)cudaGetLastError();
    show("no such device", cudaSetDevice(99));
    show("and the last error", cudaGetLastError());
    show("huge", cudaMalloc(&memory, size_t(1) << 60));
    (void)cudaGetLastError();
    show("launch after errors", (nothing<<<1, 1>>>(), cudaGetLastError()));
    show("at the end", cudaDeviceSynchronize());
    return 0;
}
