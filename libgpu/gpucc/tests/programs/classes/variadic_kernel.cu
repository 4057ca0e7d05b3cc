// SPDX-License-Identifier: MIT
// Kernels with packs of parameters, fold expressions, `if constexpr`, and launches through variadic host functions.
#include <cstdio>
#include <type_traits>
#include <utility>

template <typename... T>
__global__ void sum_of(long* out, int n, const T*... in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (0L + ... + static_cast<long>(in[i]));
}

template <typename First, typename... Rest>
__device__ double largest(First first, Rest... rest) {
    if constexpr (sizeof...(rest) == 0) {
        return first;
    } else {
        const double other = largest(rest...);
        return first > other ? double(first) : other;
    }
}
template <class... Values>
__global__ void max_of(double* out, Values... values) {
    *out = largest(values...);
}

template <int... N>
struct Numbers {};
template <int... N>
__global__ void write_numbers(int* out, Numbers<N...>) {
    int at = 0;
    ((out[at++] = N), ...);
}

template <typename... Parameters, typename... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, Arguments&&... arguments) {
    kernel<<<grid, block>>>(std::forward<Arguments>(arguments)...);
    return cudaGetLastError();
}

template <typename T>
T* device(int n, int step) {
    T host[16], *to;
    for (int i = 0; i < n; ++i) host[i] = static_cast<T>(i * step);
    cudaMalloc(&to, n * sizeof(T));
    cudaMemcpy(to, host, n * sizeof(T), cudaMemcpyHostToDevice);
    return to;
}

int main() {
    const int n = 16;
    auto* a = device<int>(n, 1);
    auto* b = device<short>(n, 10);
    auto* c = device<double>(n, 100);
    long *sums, host[n];
    cudaMalloc(&sums, sizeof host);
    sum_of<<<1, n>>>(sums, n, a, b, c);
    cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
    printf("three: %ld %ld\n", host[1], host[15]);
    launch(sum_of<short>, 1, n, sums, n, b);
    cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
    printf("one: %ld %ld\n", host[1], host[15]);
    double *result, max = 0;
    cudaMalloc(&result, sizeof(double));
    max_of<<<1, 1>>>(result, 3, 8.5f, 'a' - 90, -2.0);
    cudaMemcpy(&max, result, sizeof max, cudaMemcpyDeviceToHost);
    printf("largest %g\n", max);
    launch(write_numbers<4, 9, 16>, dim3(1), dim3(1), a, Numbers<4, 9, 16>());
    int numbers[4];
    cudaMemcpy(numbers, a, sizeof numbers, cudaMemcpyDeviceToHost);
    printf("numbers %d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3]);
    for (void* p : {(void*)a, (void*)b, (void*)c, (void*)sums, (void*)result}) cudaFree(p);
    return 0;
}
