// SPDX-License-Identifier: MIT
// Copies of every kind: between device arrays, by unified addresses, parts of arrays, symbols with offsets, patterns.
#include <cstdio>
#include <cstring>

__device__ int table[8];
__constant__ short scale[2][4];

__global__ void use(int* out, const int* in) {
    out[threadIdx.x] = in[threadIdx.x] * scale[1][threadIdx.x % 4] + table[threadIdx.x];
}

static void print(const char* name, const int* values) {
    printf("%s:", name);
    for (int i = 0; i < 8; ++i) printf(" %d", values[i]);
    printf("\n");
}

int main() {
    int host[8], back[8];
    for (int i = 0; i < 8; ++i) host[i] = i + 1;
    int *a, *b;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyDefault);
    cudaMemcpy(b, a + 4, 4 * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaMemcpy(b + 4, a, 4 * sizeof(int), cudaMemcpyDefault);
    cudaMemcpy(back, b, sizeof back, cudaMemcpyDefault);
    print("halves changed", back);
    cudaMemset(b, 0, sizeof host);
    cudaMemset(b + 2, 0x01, 2 * sizeof(int));
    cudaMemsetAsync(b + 6, 0xff, 2 * sizeof(int));
    cudaMemcpy(back, b, sizeof back, cudaMemcpyDeviceToHost);
    print("bytes set", back);
    const short factors[8] = {1, 2, 3, 4, 10, 20, 30, 40};
    cudaMemcpyToSymbol(scale, factors, sizeof factors);
    cudaMemcpyToSymbol(table, host, 4 * sizeof(int), 4 * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbolAsync(table, a + 4, 4 * sizeof(int), 0, cudaMemcpyDeviceToDevice, 0);
    use<<<1, 8>>>(b, a);
    cudaMemcpy(back, b, sizeof back, cudaMemcpyDeviceToHost);
    print("with tables", back);
    memset(back, 0, sizeof back);
    cudaMemcpyFromSymbol(back + 2, table, 3 * sizeof(int), 3 * sizeof(int));
    print("from a table", back);
    int* pinned;
    cudaHostAlloc((void**)&pinned, sizeof host, cudaHostAllocDefault);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemcpyAsync(pinned, b, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    print("pinned", pinned);
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, b);
    const bool is_device = attributes.type == cudaMemoryTypeDevice;
    cudaPointerGetAttributes(&attributes, pinned);
    printf("%s %s\n", is_device ? "device" : "?", attributes.type == cudaMemoryTypeHost ? "host" : "?");
    size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    printf("%s\n", free > 0 && free <= total ? "memory is there" : "no memory");
    int *early, *late;
    cudaMallocAsync((void**)&early, sizeof host, stream);
    cudaMallocAsync((void**)&late, sizeof host, stream);
    cudaMemcpyAsync(early, host, sizeof host, cudaMemcpyHostToDevice, stream);
    use<<<1, 8, 0, stream>>>(late, early);
    cudaMemcpyAsync(pinned, late, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(early, stream);
    cudaFreeAsync(late, stream);
    cudaStreamSynchronize(stream);
    print("in a stream", pinned);
    cudaStreamDestroy(stream);
    cudaFreeHost(pinned);
    cudaFree(a);
    cudaFree(b);
    return 0;
}
