// SPDX-License-Identifier: MIT
// A bitonic sort: many small launches, a comparison as a template's argument, function templates for the device.
#include <algorithm>
#include <cstdio>
#include <vector>

template <typename T>
__device__ inline void exchange(T& a, T& b) {
    T t = a;
    a = b;
    b = t;
}
struct Descending {
    template <typename T>
    __host__ __device__ bool operator()(const T& a, const T& b) const {
        return a > b;
    }
};
template <typename T, typename Before>
__global__ void pass(T* x, unsigned int n, unsigned int width, unsigned int distance, Before before) {
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
    if (i >= n || other <= i) return;
    const bool up = (i & width) == 0;
    if (before(x[other], x[i]) == up && before(x[other], x[i]) != before(x[i], x[other])) exchange(x[i], x[other]);
    else if (!up && before(x[i], x[other])) exchange(x[i], x[other]);
}

template <typename T>
bool sorts(unsigned int n) {
    std::vector<T> host(n);
    unsigned int state = 7;
    for (T& one : host) one = T((state = state * 1103515245u + 12345u) >> 20);
    T* x;
    cudaMalloc(&x, n * sizeof(T));
    cudaMemcpy(x, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    for (unsigned int width = 2; width <= n; width <<= 1)
        for (unsigned int distance = width >> 1; distance > 0; distance >>= 1)
            pass<<<(n + 63) / 64, 64>>>(x, n, width, distance, Descending{});
    std::vector<T> result(n);
    cudaMemcpy(result.data(), x, n * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::sort(host.begin(), host.end(), Descending());
    return result == host && cudaGetLastError() == cudaSuccess;
}

int main() { printf("%d %d %d\n", sorts<int>(1024), sorts<float>(512), sorts<unsigned char>(256)); }
