// SPDX-License-Identifier: MIT
// More of std in kernels, as nvcc takes it, and the same of cuda::std: arrays, pairs, traits, limits, index sequences.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/cmath>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <limits>
#include <type_traits>
#include <utility>

enum class Colour : std::uint8_t { red = 3, green = 5 };
struct Point {
    float x, y;
};

template <typename T, std::size_t N>
struct Polynomial {
    cuda::std::array<T, N> factors;
    template <std::size_t... K>
    __host__ __device__ T at(T x, std::index_sequence<K...>) const {
        T power[N] = {T(1)};
        for (std::size_t k = 1; k < N; ++k) power[k] = power[k - 1] * x;
        return (... + (factors[K] * power[K]));
    }
    __host__ __device__ T operator()(T x) const { return at(x, std::make_index_sequence<N>()); }
};

template <typename T>
__host__ __device__ int kind() {
    if (std::is_enum_v<T>) return 1;
    if (std::is_class_v<T>) return std::is_trivially_copyable_v<T> ? 2 : 3;
    if (std::is_void_v<std::remove_pointer_t<T>>) return 4;
    return std::is_convertible_v<T, double> ? 5 : 6;
}
template <typename T, typename = std::void_t<decltype(T::x)>>
__host__ __device__ constexpr bool has_x(int) {
    return true;
}
template <typename T>
__host__ __device__ constexpr bool has_x(...) {
    return false;
}

__global__ void kernel(Polynomial<float, 3> p, cuda::std::pair<int, float> pair, float* out) {
    out[0] = p(2.0f);
    out[1] = pair.first + pair.second;
    const cuda::std::array<int, 4> numbers = {4, 3, 2, 1};
    int sum = 0;
    for (const int n : numbers) sum = 10 * sum + n;
    out[2] = sum + int(numbers.size());
    out[3] = 1000 * kind<Colour>() + 100 * kind<Point>() + 10 * kind<void*>() + kind<short>();
    out[4] = 10 * has_x<Point>(0) + has_x<int>(0);
    out[5] = std::is_same_v<std::underlying_type_t<Colour>, std::uint8_t>;
    out[6] = cuda::std::numeric_limits<float>::epsilon() == std::numeric_limits<float>::epsilon() &&
             cuda::std::isinf(std::numeric_limits<float>::infinity()) && std::numeric_limits<int>::lowest() < 0;
    out[7] = cuda::std::abs(-2.5f) + std::max(1, 7) + cuda::std::is_same_v<int, float>;
}

int main() {
    float *device, host[8];
    cudaMalloc(&device, sizeof host);
    const Polynomial<float, 3> p = {{1.0f, 2.0f, 3.0f}};
    kernel<<<1, 1>>>(p, cuda::std::make_pair(3, 0.5f), device);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    for (const float x : host) printf("%g ", x);
    printf("\nhost %g, %d %d\n", p(2.0f), kind<Colour>(), int(has_x<Point>(0)));
    cudaFree(device);
    return cudaGetLastError();
}
