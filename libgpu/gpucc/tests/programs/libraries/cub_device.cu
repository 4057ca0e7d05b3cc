// SPDX-License-Identifier: MIT
// CUB's algorithms for whole arrays, each called twice: for the size of its temporary memory, and to be done.
#include <cub/cub.cuh>

#include <cstdio>
#include <vector>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        const cudaError_t error = (call);                                                \
        if (error != cudaSuccess) printf("%d: %s\n", __LINE__, cudaGetErrorName(error)); \
    } while (0)

struct IsOdd {
    __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct Larger {
    __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

// Calls an algorithm twice.
template <typename F>
void with_memory(F algorithm) {
    void* temporary = nullptr;
    size_t bytes = 0;
    CHECK(algorithm(temporary, bytes));
    CHECK(cudaMalloc(&temporary, bytes));
    CHECK(algorithm(temporary, bytes));
    CHECK(cudaFree(temporary));
}
template <typename T>
void show(const char* name, const T* device, int n) {
    std::vector<T> host(n);
    CHECK(cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost));
    printf("%s:", name);
    for (const T& x : host) printf(" %g", double(x));
    printf("\n");
}

int main() {
    const int n = 10, data[n] = {5, -3, 8, 3, 1, 8, 8, 2, -9, 4};
    int *in, *out, *values, *result;
    CHECK(cudaMalloc(&in, sizeof data));
    CHECK(cudaMalloc(&out, sizeof data));
    CHECK(cudaMalloc(&values, sizeof data));
    CHECK(cudaMalloc(&result, sizeof data));
    CHECK(cudaMemcpy(in, data, sizeof data, cudaMemcpyHostToDevice));
    with_memory([&](void* t, size_t& b) { return cub::DeviceReduce::Sum(t, b, in, result, n); });
    show("sum", result, 1);
    with_memory([&](void* t, size_t& b) { return cub::DeviceReduce::Max(t, b, in, result, n); });
    show("max", result, 1);
    with_memory([&](void* t, size_t& b) { return cub::DeviceReduce::Min(t, b, in, result, n); });
    show("min", result, 1);
    with_memory([&](void* t, size_t& b) { return cub::DeviceReduce::Reduce(t, b, in, result, n, Larger(), -100); });
    show("reduce", result, 1);
    with_memory([&](void* t, size_t& b) { return cub::DeviceScan::InclusiveSum(t, b, in, out, n); });
    show("inclusive", out, n);
    with_memory([&](void* t, size_t& b) { return cub::DeviceScan::ExclusiveSum(t, b, in, out, n); });
    show("exclusive", out, n);
    with_memory([&](void* t, size_t& b) { return cub::DeviceSelect::If(t, b, in, out, result, n, IsOdd()); });
    show("chosen", result, 1);
    show("odd", out, 5);
    with_memory([&](void* t, size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, in, out, n); });
    show("sorted", out, n);
    with_memory([&](void* t, size_t& b) { return cub::DeviceRadixSort::SortKeysDescending(t, b, in, out, n); });
    show("falling", out, n);
    with_memory([&](void* t, size_t& b) { return cub::DeviceRadixSort::SortPairs(t, b, in, out, in, values, n); });
    show("pairs", values, n);
    int *lengths, *runs;
    CHECK(cudaMalloc(&lengths, sizeof data));
    CHECK(cudaMalloc(&runs, sizeof(int)));
    with_memory(
        [&](void* t, size_t& b) { return cub::DeviceRunLengthEncode::Encode(t, b, out, values, lengths, runs, n); });
    show("runs", runs, 1);
    show("lengths", lengths, 8);
    with_memory(
        [&](void* t, size_t& b) { return cub::DeviceHistogram::HistogramEven(t, b, in, lengths, 5, -10, 10, n); });
    show("histogram", lengths, 4);
    float floats[4] = {2.5f, -1.0f, 0.0f, -7.25f}, *x, *y;
    CHECK(cudaMalloc(&x, sizeof floats));
    CHECK(cudaMalloc(&y, sizeof floats));
    CHECK(cudaMemcpy(x, floats, sizeof floats, cudaMemcpyHostToDevice));
    with_memory([&](void* t, size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, x, y, 4); });
    show("floats", y, 4);
    for (void* memory :
         {(void*)in, (void*)out, (void*)values, (void*)result, (void*)lengths, (void*)runs, (void*)x, (void*)y})
        CHECK(cudaFree(memory));
    return 0;
}
