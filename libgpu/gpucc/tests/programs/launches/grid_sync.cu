// SPDX-License-Identifier: MIT
// A cooperative launch whose blocks wait for each other, and one that asks how many blocks may run at the same time.
#include <cooperative_groups.h>
#include <cstdio>
#include <numeric>
#include <vector>

namespace cg = cooperative_groups;

__global__ void sum_all(const int* in, int n, long long* partial, long long* result) {
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    __shared__ long long sums[128];
    long long own = 0;
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) own += in[i];
    sums[block.thread_rank()] = own;
    cg::sync(block);
    if (block.thread_rank() == 0) {
        long long total = 0;
        for (int k = 0; k < block.size(); ++k) total += sums[k];
        partial[blockIdx.x] = total;
    }
    grid.sync();
    if (grid.thread_rank() == 0) {
        *result = 0;
        for (int k = 0; k < gridDim.x; ++k) *result += partial[k];
    }
    grid.sync();
    if (block.thread_rank() == 1) partial[blockIdx.x] = *result - partial[blockIdx.x];
}

int main() {
    int device = 0, has_cooperative = 0, per_processor = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&has_cooperative, cudaDevAttrCooperativeLaunch, device);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, sum_all, 128, 0);
    if (!has_cooperative || per_processor * properties.multiProcessorCount < 2) {
        printf("no cooperative launches\n");
        return 1;
    }
    int n = 20000;
    std::vector<int> host(n);
    std::iota(host.begin(), host.end(), -100);
    int* in;
    long long *partial, *result, sums[2], total;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&partial, sizeof sums);
    cudaMalloc(&result, sizeof(long long));
    cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    void* arguments[] = {(void*)&in, (void*)&n, (void*)&partial, (void*)&result};
    const cudaError_t error = cudaLaunchCooperativeKernel((void*)sum_all, dim3(2), dim3(128), arguments);
    cudaMemcpy(sums, partial, sizeof sums, cudaMemcpyDeviceToHost);
    cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
    printf("%s: %lld, expected %lld, others' sums %lld\n", cudaGetErrorName(error), total,
           std::accumulate(host.begin(), host.end(), 0LL), sums[0] + sums[1]);
    cudaFree(in);
    cudaFree(partial);
    cudaFree(result);
    return 0;
}
