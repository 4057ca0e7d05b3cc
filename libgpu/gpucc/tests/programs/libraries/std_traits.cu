// SPDX-License-Identifier: MIT
// What kernels take of std: limits, traits, min and max, fixed-width integers, mathematics.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <type_traits>

template <typename T>
__host__ __device__ typename std::enable_if<std::is_floating_point<T>::value, T>::type halved(T x) {
    return x / T(2);
}
template <typename T>
__host__ __device__ std::enable_if_t<std::is_integral_v<T>, T> halved(T x) {
    return x >> 1;
}
template <typename T>
__global__ void kernel(T* out) {
    out[0] = std::numeric_limits<T>::max();
    out[1] = halved(T(9));
    if constexpr (std::is_same<T, float>::value) out[2] = std::sqrt(T(16));
    else out[2] = T(7);
    const uint32_t word = 3;
    const size_t size = word + sizeof(std::conditional_t<(sizeof(T) > 4), char, short>);
    out[3] = T(size);
}

template <typename T>
void show() {
    T *d, h[4];
    cudaMalloc(&d, sizeof h);
    kernel<<<1, 1>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %g %g %g, %g\n", int(h[0] == std::numeric_limits<T>::max()), double(h[1]), double(h[2]), double(h[3]),
           double(halved(T(9))));
    cudaFree(d);
}

int main() {
    show<float>();
    show<int>();
    show<double>();
}
