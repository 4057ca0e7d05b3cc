// SPDX-License-Identifier: MIT
// Reductions as templates of type, block size and operation; dynamic shared memory; warp shuffles.
#include <algorithm>
#include <cfloat>
#include <climits>
#include <cstdio>
#include <numeric>
#include <vector>

namespace ops {
template <typename T>
struct Sum {
    static __host__ __device__ T identity() { return T(0); }
    __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
template <typename T>
struct Max;
template <>
struct Max<int> {
    static __host__ __device__ int identity() { return INT_MIN; }
    __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
template <>
struct Max<float> {
    static __host__ __device__ float identity() { return -FLT_MAX; }
    __host__ __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
}  // namespace ops

template <typename T, typename Op, unsigned int block>
__global__ void reduce(const T* x, int n, T* result, Op op) {
    extern __shared__ unsigned char memory[];
    T* partial = reinterpret_cast<T*>(memory);
    T value = Op::identity();
    for (int i = blockIdx.x * block + threadIdx.x; i < n; i += block * gridDim.x) value = op(value, x[i]);
    partial[threadIdx.x] = value;
    __syncthreads();
#pragma unroll
    for (unsigned int width = block / 2; width >= 32; width /= 2) {
        if (threadIdx.x < width) partial[threadIdx.x] = op(partial[threadIdx.x], partial[threadIdx.x + width]);
        __syncthreads();
    }
    if (threadIdx.x < 32) {
        value = partial[threadIdx.x];
        for (int step = 16; step > 0; step >>= 1) value = op(value, __shfl_down_sync(0xffffffffu, value, step));
        if (threadIdx.x == 0) result[blockIdx.x] = value;
    }
}

template <typename T, template <typename> class Op>
T reduced(const std::vector<T>& host) {
    constexpr unsigned int block = 128;
    const int n = int(host.size()), grid = 7;
    T *x, *result;
    cudaMalloc(&x, n * sizeof(T));
    cudaMalloc(&result, grid * sizeof(T));
    cudaMemcpy(x, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    reduce<T, Op<T>, block><<<grid, block, block * sizeof(T)>>>(x, n, result, Op<T>{});
    std::vector<T> parts(grid);
    cudaMemcpy(parts.data(), result, grid * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(result);
    return std::accumulate(parts.begin(), parts.end(), Op<T>::identity(), Op<T>());
}

int main() {
    std::vector<int> i(10000);
    std::iota(i.begin(), i.end(), -500);
    std::vector<float> f(i.begin(), i.end());
    printf("%d %d\n", reduced<int, ops::Sum>(i), std::accumulate(i.begin(), i.end(), 0));
    printf("%d %d\n", reduced<int, ops::Max>(i), *std::max_element(i.begin(), i.end()));
    printf("%g %g\n", reduced<float, ops::Max>(f), *std::max_element(f.begin(), f.end()));
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
