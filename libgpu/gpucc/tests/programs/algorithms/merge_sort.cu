// SPDX-License-Identifier: MIT
// A merge sort: every element finds its place in the other run by a binary search. Templates over key and order.
#include <cstdio>
#include <utility>
#include <vector>

template <typename T>
struct Ascending {
    __host__ __device__ bool operator()(const T& a, const T& b) const { return a < b; }
};
template <typename T>
struct Descending {
    __host__ __device__ bool operator()(const T& a, const T& b) const { return b < a; }
};

// How many of the sorted keys stand before `key`; equal ones only if `is_behind_equal`.
template <typename T, typename Before>
__device__ int rank_of(const T& key, const T* keys, int n, bool is_behind_equal, Before before) {
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        const bool is_smaller = is_behind_equal ? !before(key, keys[middle]) : before(keys[middle], key);
        if (is_smaller)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

template <typename T, template <typename> class Order>
__global__ void merge_runs(const T* in, T* out, int n, int run) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int pair = i / (2 * run) * (2 * run), middle = min(pair + run, n), end = min(pair + 2 * run, n);
    const T key = in[i];
    int place;
    if (i < middle)
        place = i + rank_of(key, in + middle, end - middle, false, Order<T>());
    else
        place = pair + (i - middle) + rank_of(key, in + pair, middle - pair, true, Order<T>());
    out[place] = key;
}

template <typename T, template <typename> class Order>
std::vector<T> sorted(const std::vector<T>& keys) {
    const int n = int(keys.size());
    T *a, *b;
    cudaMalloc(&a, n * sizeof(T));
    cudaMalloc(&b, n * sizeof(T));
    cudaMemcpy(a, keys.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    for (int run = 1; run < n; run *= 2) {
        merge_runs<T, Order><<<(n + 255) / 256, 256>>>(a, b, n, run);
        std::swap(a, b);
    }
    std::vector<T> result(n);
    cudaMemcpy(result.data(), a, n * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    return result;
}

int main() {
    std::vector<int> numbers;
    for (int i = 0; i < 777; ++i) numbers.push_back(i * 7919 % 1009 - 500);
    const auto up = sorted<int, Ascending>(numbers);
    const auto down = sorted<int, Descending>(numbers);
    int wrong = 0;
    for (size_t i = 1; i < up.size(); ++i) wrong += up[i - 1] > up[i] || down[i - 1] < down[i];
    printf("%d wrong, from %d to %d, down from %d\n", wrong, up.front(), up.back(), down.front());
    const auto halves = sorted<double, Ascending>({2.5, -1.0, 0.0, 7.25, -3.5});
    for (double x : halves) printf("%g ", x);
    printf("\n");
    return wrong;
}
