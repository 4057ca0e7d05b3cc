// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <numeric>

#include "host/fibers/context_switch.hpp"
#include "host/support.hpp"

using namespace support;

namespace {

const char* const source = R"(
__global__ void tree(const int* x, int* sum, int n) {
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int w = blockDim.x / 2; w > 0; w /= 2) {
        if (t < w) s[t] += s[t + w];
        __syncthreads();
    }
    if (t == 0) atomicAdd(sum, s[0]);
}
__global__ void reverse(int* x) {
    extern __shared__ int d[];
    int t = threadIdx.x, n = blockDim.x;
    d[t] = x[blockIdx.x * n + t];
    __syncthreads();
    x[blockIdx.x * n + t] = d[n - 1 - t];
}
__global__ void early(int* out, int live) {
    if ((int)threadIdx.x >= live) return;
    __syncthreads();
    atomicAdd(out, 1);
    __syncthreads();
    if (threadIdx.x == 0) out[1] = out[0];
}
__global__ void first_ends(int* out) {
    if (threadIdx.x == 0) return;
    __syncthreads();
    int alive = __syncthreads_count(threadIdx.x % 2);
    int all = __syncthreads_and(threadIdx.x > 0), any = __syncthreads_or(threadIdx.x == 5);
    if (threadIdx.x == 5) { out[0] = alive; out[1] = all != 0; out[2] = any != 0; }
}
__device__ int meet(int* s, int v) {
    s[threadIdx.x] = v;
    __syncthreads();
    int next = s[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    return next;
}
__global__ void nested(int* out) {
    __shared__ int s[128];
    out[threadIdx.x] = meet(s, meet(s, threadIdx.x));
}
__device__ int depth(int n) {
    int local[8];
    local[n % 8] = n;
    if (n == 0) { __syncthreads(); return 0; }
    return depth(n - 1) + (local[n % 8] == n);
}
__global__ void recursion(int* out) { out[threadIdx.x] = depth(200); }
__global__ void loops(int* out) {
    for (int k = 0; k < (int)threadIdx.x % 4; ++k) atomicAdd(&out[1], 1);
    __syncthreads();
    for (int k = 0; k < 10; ++k) {
        if (threadIdx.x == k) out[0] += k;
        __syncthreads();
    }
}
__global__ void two_d(int* out, int width) {
    __shared__ int tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = y * width + x;
    __syncthreads();
    int tx = blockIdx.y * 16 + threadIdx.x, ty = blockIdx.x * 16 + threadIdx.y;
    out[ty * width + tx] = tile[threadIdx.x][threadIdx.y];
}
#define WAIT __sync##threads()
__global__ void hidden(int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    WAIT;
    out[threadIdx.x] = s[63 - threadIdx.x];
}
template <class T> __device__ T kept(const T* x) {
    T a = x[0], b = x[1], c = x[2], d = x[3], e = x[4], f = x[5], g = x[6], h = x[7], i = x[8], j = x[9];
    __syncthreads();
    T sum = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
    int lane = __shfl_xor_sync(~0u, (int)threadIdx.x, 1);
    return sum + a * 2 + b * 3 + c * 4 + d * 5 + e * 6 + f * 7 + g * 8 + h * 9 + i * 10 + j * 11 + lane;
}
__global__ void registers(const long long* x, const double* y, long long* whole, double* real) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    real[k] = kept(y + k);
    whole[k] = kept(x + k);
}
)";

}  // namespace

TEST_CASE("a block tree with shared memory sums, and barriers and atomics are counted exactly") {
    const auto kernel = build_raw("tree", source);
    const int n = 10000;
    std::vector<int> values(n);
    std::iota(values.begin(), values.end(), 1);
    const Buffer<int> x(values), sum(1);
    const auto barriers_before = barriers(), atomics_before = atomics();
    launch(*kernel, shape(40, 256), static_cast<const int*>(x.data()), sum.data(), n);
    CHECK(sum[0] == n * (n + 1) / 2);
    CHECK(barriers() - barriers_before == 40 * 9);
    CHECK(atomics() - atomics_before == 40);
}

TEST_CASE("dynamic shared memory has the size of the launch") {
    const auto kernel = build_raw("reverse", source);
    for (const unsigned n : {1U, 32U, 1000U}) {
        std::vector<int> values(2 * n);
        std::iota(values.begin(), values.end(), 0);
        const Buffer<int> x(values);
        launch(*kernel, shape(2, n, n * sizeof(int)), x.data());
        for (unsigned k = 0; k < n; ++k) {
            REQUIRE(x[k] == static_cast<int>(n - 1 - k));
            REQUIRE(x[n + k] == static_cast<int>(2 * n - 1 - k));
        }
    }
}

TEST_CASE("threads that return before a barrier aren't waited for") {
    const auto kernel = build_raw("early", source);
    for (const int live : {1, 31, 33, 500, 1023, 1024}) {
        const Buffer<int> out(2);
        const auto before = barriers();
        launch(*kernel, shape(1, 1024), out.data(), live);
        CHECK(out[0] == live);
        CHECK(out[1] == live);
        CHECK(barriers() - before == 2);
    }
}

TEST_CASE("barriers with a vote count the threads that are still there") {
    const Buffer<int> out(3);
    launch(*build_raw("first_ends", source), shape(1, 100), out.data());
    CHECK(out.values() == std::vector<int>{50, 1, 1});
}

TEST_CASE("a barrier may stand in a device function, and deep in a recursion") {
    const Buffer<int> out(128);
    launch(*build_raw("nested", source), shape(1, 128), out.data());
    for (int t = 0; t < 128; ++t) REQUIRE(out[static_cast<std::size_t>(t)] == (t + 2) % 128);
    launch(*build_raw("recursion", source), shape(1, 128), out.data());
    CHECK(out.values() == std::vector<int>(128, 200));
}

TEST_CASE("divergent loops end in the same barrier") {
    const Buffer<int> out(2);
    launch(*build_raw("loops", source), shape(1, 64), out.data());
    CHECK(out[0] == 45);
    CHECK(out[1] == 16 * (1 + 2 + 3));
}

TEST_CASE("a tiled transpose has blocks and grids of two dimensions") {
    const int width = 48;
    const Buffer<int> out(width * width);
    launch(*build_raw("two_d", source), {.grid = {3, 3, 1}, .block = {16, 16, 1}, .shared_bytes = 0}, out.data(),
           width);
    for (int y = 0; y < width; ++y)
        for (int x = 0; x < width; ++x) REQUIRE(out[static_cast<std::size_t>(y * width + x)] == x * width + y);
}

TEST_CASE("a barrier behind a macro is found by the second attempt to compile") {
    const Buffer<int> out(64);
    launch(*build_raw("hidden", source), shape(1, 64), out.data());
    for (int t = 0; t < 64; ++t) REQUIRE(out[static_cast<std::size_t>(t)] == 63 - t);
}

TEST_CASE("what a thread keeps in registers is there after a barrier and a warp operation") {
    const auto kernel = build_raw("registers", source);
    const int n = 4 * 256;
    std::vector<long long> values(n + 9);
    std::iota(values.begin(), values.end(), 1);
    const Buffer<long long> x(values), whole(n);
    const Buffer<double> y(std::vector<double>(values.begin(), values.end())), real(n);
    launch(*kernel, shape(4, 256), static_cast<const long long*>(x.data()), static_cast<const double*>(y.data()),
           whole.data(), real.data());
    for (int k = 0; k < n; ++k) {
        long long expected = (k % 256) ^ 1;
        for (int i = 0; i < 10; ++i) expected += (2 * i + 3) * values[static_cast<std::size_t>(k + i)];
        REQUIRE(whole[static_cast<std::size_t>(k)] == expected);
        REQUIRE(real[static_cast<std::size_t>(k)] == static_cast<double>(expected));
    }
}

TEST_CASE("our own context switch and Boost.Context's give the same results") {
    using namespace gpu::detail::host;
    if (!has_fiber_kind(FiberKind::own) || !has_fiber_kind(FiberKind::boost)) {
        std::puts("SKIP: our own context switch and Boost.Context's: this build has only one of them");
        return;
    }
    struct Restore {
        ~Restore() { set_fiber_kind(FiberKind::own); }
    } const restore;
    const auto tree = build_raw("tree", source), early = build_raw("early", source), loops = build_raw("loops", source);
    std::vector<std::vector<int>> results;
    for (const FiberKind kind : {FiberKind::own, FiberKind::boost}) {
        set_fiber_kind(kind);
        const Buffer<int> x(3000, 3), out(6);
        launch(*tree, shape(12, 256), static_cast<const int*>(x.data()), out.data(), 3000);
        launch(*early, shape(1, 1024), out.data() + 2, 777);
        launch(*loops, shape(1, 64), out.data() + 4);
        results.push_back(out.values());
    }
    CHECK(results[0] == results[1]);
    CHECK(results[0] == std::vector<int>{9000, 0, 777, 777, 45, 96});
}
