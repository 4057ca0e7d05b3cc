// SPDX-License-Identifier: MIT
// A prefix sum in three kernels, with a ping-pong buffer in dynamic shared memory.
#include <cstdio>
#include <vector>

__global__ void scan_blocks(const int* in, int* out, int* sums, int n) {
    extern __shared__ int temporary[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x, length = blockDim.x;
    int from = 0, to = 1;
    temporary[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int offset = 1; offset < length; offset <<= 1) {
        const int value = temporary[from * length + t];
        temporary[to * length + t] = t >= offset ? value + temporary[from * length + t - offset] : value;
        __syncthreads();
        from = to;
        to = 1 - to;
    }
    if (i < n) out[i] = temporary[from * length + t];
    if (sums != NULL && t == length - 1) sums[blockIdx.x] = temporary[from * length + t];
}
__global__ void add_sums(int* out, const int* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) out[i] += sums[blockIdx.x - 1];
}

int main() {
    const int n = 10000, block = 128, blocks = (n + block - 1) / block;
    std::vector<int> host(n), result(n);
    for (int i = 0; i < n; ++i) host[i] = (i * 37) % 11 - 4;
    int *in, *out, *sums, *scanned;
    cudaMalloc(&in, n * sizeof *in);
    cudaMalloc(&out, n * sizeof *out);
    cudaMalloc(&sums, blocks * sizeof *sums);
    cudaMalloc(&scanned, blocks * sizeof *scanned);
    cudaMemcpy(in, host.data(), n * sizeof *in, cudaMemcpyHostToDevice);
    scan_blocks<<<blocks, block, 2 * block * sizeof(int)>>>(in, out, sums, n);
    scan_blocks<<<1, block, 2 * block * sizeof(int)>>>(sums, scanned, nullptr, blocks);
    add_sums<<<blocks, block>>>(out, scanned, n);
    cudaMemcpy(result.data(), out, n * sizeof *out, cudaMemcpyDeviceToHost);
    int sum = 0, wrong = 0;
    for (int i = 0; i < n; ++i) wrong += result[i] != (sum += host[i]);
    printf("%d wrong, total %d\n", wrong, result.back());
    for (int* p : {in, out, sums, scanned}) cudaFree(p);
    return wrong != 0;
}
