// SPDX-License-Identifier: MIT
#include <cmath>
#include <numeric>

#include "host/support.hpp"

using namespace support;

namespace {

const char* const source = R"(
extern "C" __global__ void add(const float* x, const float* __restrict__ y, float* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}
__device__ float twice(float v) { return 2.0f * v; }
__constant__ float offset = 3.0f;
__device__ int table[4] = {10, 20, 30, 40};
template <class T, int N>
__global__ __launch_bounds__(256) void mapped(const T* x, T* z, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        z[i] = twice(x[i]) + offset + table[i % 4] + N;
}
struct Pair { int first; double second; };
__global__ void where(unsigned* out, dim3 expected, Pair pair) {
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    bool right = gridDim.x == expected.x && gridDim.y == expected.y && gridDim.z == expected.z && pair.first == 7 &&
                 pair.second == 2.5;
    out[block * (blockDim.x * blockDim.y * blockDim.z) + thread] = right ? block * 1000 + thread : 0;
}
__global__ void maths(float* f, double* d, int* i) {
    float x = 0.5f;
    f[0] = sqrtf(x) + sinf(x) + expf(x) + powf(x, 3.0f) + fmaxf(x, 0.25f) + rsqrtf(x) + fabsf(-x) + tanh(x) + __expf(x);
    f[1] = min(x, 0.75f) + max(1.0f, x) + pow(x, 2) + abs(-x) + exp(x) + floor(x) + fmin(NAN, x);
    d[0] = sqrt(2.0) + sin(0.5) + pow(2.0, 0.5) + min(1.0, 2.0f) + hypot(3.0, 4.0) + atan2(1.0, 2.0) + sqrt(4);
    i[0] = min(3, 4) + max(5, 6) + abs(-7) + __popc(255) + __clz(1) + __ffs(8) + max(2u, 1) + __float_as_int(1.0f) % 97;
    float4 v = make_float4(1, 2, 3, 4);
    int2 w = make_int2(5, 6);
    f[2] = v.x + v.y + v.z + v.w + w.x + w.y + sizeof(float4) + sizeof(uint3) + isnan(NAN) + isinf(INFINITY) + warpSize;
}
__global__ void negative(int* out) { out[threadIdx.x] = (int)threadIdx.x - (int)blockDim.x; }
)";

}  // namespace

TEST_CASE("a vector is added at every edge size, and nothing past its end is touched") {
    const auto kernel = build(raw_text("add", source, "(const float*, const float*, float*, int)"));
    for (const int n : {0, 1, 31, 33, 255, 256, 257, 1009}) {
        const auto size = static_cast<std::size_t>(n);
        std::vector<float> xs(size), ys(size);
        std::iota(xs.begin(), xs.end(), 1.0f);
        std::iota(ys.begin(), ys.end(), -5.0f);
        const Buffer<float> x(xs), y(ys), z(size, -1.0f);
        launch(*kernel, shape(5, 256), static_cast<const float*>(x.data()), static_cast<const float*>(y.data()),
               z.data(), n);
        for (std::size_t k = 0; k < size; ++k) REQUIRE(z[k] == xs[k] + ys[k]);
    }
}

TEST_CASE("templates, device functions, and __constant__ and __device__ variables work") {
    const auto kernel = build_raw("mapped<double, 5>", source);
    const int n = 1009;
    const Buffer<double> x(n, 1.5), z(n);
    launch(*kernel, shape(3, 64), static_cast<const double*>(x.data()), z.data(), n);
    for (int k = 0; k < n; ++k) REQUIRE(z[static_cast<std::size_t>(k)] == 3.0 + 3.0 + 10 * (k % 4 + 1) + 5);
}

TEST_CASE("grids and blocks have three dimensions, and structures are passed by value") {
    const auto kernel = build_raw("where", source);
    struct Dim3 {
        unsigned x, y, z;
    };
    struct Pair {
        int first;
        double second;
    };
    const LaunchShape launched{.grid = {3, 2, 4}, .block = {5, 3, 2}, .shared_bytes = 0};
    const Buffer<unsigned> out(24 * 30, 77U);
    launch(*kernel, launched, out.data(), Dim3{3, 2, 4}, Pair{7, 2.5});
    for (unsigned k = 0; k < 24 * 30; ++k) REQUIRE(out[k] == k / 30 * 1000 + k % 30);
}

TEST_CASE("math functions need no header") {
    const auto kernel = build_raw("maths", source);
    const Buffer<float> f(3);
    const Buffer<double> d(1);
    const Buffer<int> i(1);
    launch(*kernel, shape(1, 1), f.data(), d.data(), i.data());
    const float x = 0.5f;
    CHECK(f[0] == doctest::Approx(std::sqrt(x) + std::sin(x) + std::exp(x) + 0.125 + 0.5 + 1 / std::sqrt(x) + 0.5 +
                                  std::tanh(x) + std::exp(x)));
    CHECK(f[1] == doctest::Approx(0.5 + 1.0 + 0.25 + 0.5 + std::exp(x) + 0.0 + 0.5));
    CHECK(d[0] ==
          doctest::Approx(std::sqrt(2.0) + std::sin(0.5) + std::sqrt(2.0) + 1.0 + 5.0 + std::atan2(1.0, 2.0) + 2));
    CHECK(i[0] == 3 + 6 + 7 + 8 + 31 + 4 + 2 + 0x3f800000 % 97);
    CHECK(f[2] == 10 + 11 + 16 + 12 + 1 + 1 + 32);
}

TEST_CASE("a launch checks shape and arguments against CUDA's limits") {
    const auto kernel = build_raw("negative", source);
    const Buffer<int> out(32);
    const auto refused = [&](LaunchShape launched) {
        return launch_error([&] { launch(*kernel, launched, out.data()); });
    };
    CHECK(refused(shape(0, 32)) ==
          "kernel negative: grid (0,1,1): every length must be at least 1; is the array empty?");
    CHECK(refused(shape(1, 0)) ==
          "kernel negative: block (0,1,1): every length must be at least 1; is the array empty?");
    CHECK(refused(shape(1, 1025)) == "kernel negative: block (1025,1,1): 1025 along x is more than the limit of 1024");
    CHECK(refused({.grid = {}, .block = {1, 1, 65}, .shared_bytes = 0}) ==
          "kernel negative: block (1,1,65): 65 along z is more than the limit of 64");
    CHECK(refused({.grid = {}, .block = {32, 33, 1}, .shared_bytes = 0}) ==
          "kernel negative: block (32,33,1): 1056 threads are more than the limit of 1024 a block");
    CHECK(refused({.grid = {1, 65536, 1}, .block = {}, .shared_bytes = 0}) ==
          "kernel negative: grid (1,65536,1): 65536 along y is more than the limit of 65535");
    CHECK(
        refused(shape(1, 1, 232449)) ==
        "kernel negative: 232449 bytes of shared memory (0 static, 232449 dynamic) are more than the limit of 232448");
    CHECK(launch_error([&] { launch(*kernel, shape(1, 32), out.data(), 3); }) ==
          "kernel negative: it has 1 parameters, and 2 arguments were given");
    launch(*kernel, shape(1, 32), out.data());
    CHECK(out[0] == -32);
    CHECK(out[31] == -1);
}

TEST_CASE("static shared memory counts by kernel, and more than 48 KiB is refused") {
    const char* const shared = R"(
__global__ void large(float* x) { __shared__ float s[13000]; s[threadIdx.x] = 1; __syncthreads(); x[0] = s[0]; }
__global__ void small(float* x) { __shared__ float s[100]; s[threadIdx.x] = 2; __syncthreads(); x[0] = s[0]; }
extern "C" __global__ void plain(float* x) {
    __shared__ float s[9000];
    s[threadIdx.x] = 2;
    __syncthreads();
    x[0] = s[0];
}
)";
    const Buffer<float> x(1);
    const auto large = build_raw("large", shared), small = build_raw("small", shared),
               plain = build_raw("plain", shared);
    CHECK(
        launch_error([&] { launch(*large, shape(1, 32), x.data()); }) ==
        "kernel large: 52000 bytes of static __shared__ arrays are more than the limit of 49152; use extern __shared__ "
        "and LaunchConfig::shared");
    launch(*small, shape(1, 32), x.data());
    CHECK(x[0] == 2);
    CHECK(contains(launch_error([&] { launch(*plain, shape(1, 32, 200000), x.data()); }),
                   "(36000 static, 200000 dynamic)"));
}
