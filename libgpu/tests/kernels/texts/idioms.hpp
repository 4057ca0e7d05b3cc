// SPDX-License-Identifier: MIT
#pragma once

namespace texts {

/// What NVIDIA's samples and tutorials write, and C++ compilers don't take as it stands.
inline constexpr const char* shared_idioms = R"(
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>
__global__ void predicates(unsigned* out, unsigned a, unsigned b) {
    bool high, low;
    out[0] = __vibmax_s16x2(a, b, &high, &low);
    out[1] = high + 2 * low;
    out[2] = __vibmin_u16x2(a, b, &high, &low);
    out[3] = high + 2 * low;
}
template <class T> struct SharedMemory {
    __device__ operator T*() {
        extern __shared__ int memory[];
        return (T*)memory;
    }
    __device__ operator const T*() const {
        extern __shared__ int memory[];
        return (T*)memory;
    }
};
template <class T> __global__ void reverse(T* x) {
    T* s = SharedMemory<T>();
    const int t = threadIdx.x, n = blockDim.x;
    s[t] = x[t];
    __syncthreads();
    x[t] = s[n - 1 - t];
}
template <class T> __device__ T* scratch() { extern __shared__ __align__(16) T own[]; return own; }
template <class T> __global__ void rotate(T* x) {
    extern __shared__ volatile T s[];
    const int t = threadIdx.x, n = blockDim.x;
    s[t] = x[t];
    __syncthreads();
    x[t] = scratch<T>()[(t + 1) % n];
}
extern volatile __shared__ int outside[], same[];
__global__ void declarations(int* out) {
    static __shared__ int a[64];
    __shared__ alignas(16) int b[64], c;
    __shared__ struct { int u[64]; int v; } d;
    extern __align__(16) __shared__ int e[];
    const int t = threadIdx.x, warpSize = 3;
    a[t] = t;
    b[t] = 2 * t;
    d.u[t] = 3 * t;
    outside[t] = 4 * t;
    if (t == 0) c = d.v = 5;
    __barrier_sync(0);
    const int u = (t + 7) % 64;
    out[t] = a[u] + b[u] + d.u[u] + same[u] + e[u] + c + d.v + warpSize + (int)((uintptr_t)b % 16);
}
struct Shape {
    __device__ virtual ~Shape() {}
    __device__ virtual int area() const = 0;
};
struct Square : Shape {
    int side;
    __device__ Square(int s) : side(s) {}
    __device__ ~Square() override { side = 0; }
    __device__ int area() const override { return side * side; }
};
struct Double : Square {
    __device__ Double(int s) : Square(s) {}
    __device__ int area() const override { return 2 * side * side; }
};
struct Record { int32_t a; uint8_t b[12]; };
__global__ void objects(int* out, int* words) {
    Record* records = (Record*)words;
    const int t = threadIdx.x;
    Square square(t);
    Double twice(t);
    const Shape* shape = t % 2 ? (const Shape*)&square : (const Shape*)&twice;
    Record mine;
    memset(&mine, 1, sizeof mine);
    mine.a = shape->area();
    memcpy(&records[t], &mine, sizeof mine);
    out[t] = records[t].a + records[t].b[11];
}
)";

/// cg::inclusive_scan and its kin, and tiles of several warps.
inline constexpr const char* scans = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void tile_scans(int* out) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int t = threadIdx.x, v = t * t % 11;
    out[t * 4] = cg::inclusive_scan(tile, v);
    out[t * 4 + 1] = cg::exclusive_scan(tile, v, cg::plus<int>());
    out[t * 4 + 2] = cg::inclusive_scan(tile, v, cg::greater<int>());
    if (t % 3 != 0) out[t * 4 + 3] = cg::exclusive_scan(cg::coalesced_threads(), v);
}
__global__ void large_tiles(int* out) {
    __shared__ cg::block_tile_memory<256> memory;
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<64>(block);
    auto warp = cg::tiled_partition<32>(tile);
    const int t = threadIdx.x;
    __shared__ int s[256];
    s[t] = t;
    tile.sync();
    int* mine = out + t * 8;
    mine[0] = s[t ^ 63];
    mine[1] = cg::reduce(tile, t, cg::plus<int>());
    mine[2] = cg::inclusive_scan(tile, 1);
    mine[3] = tile.shfl(t, 40);
    mine[4] = tile.any(t == 70) + 2 * tile.all(t < 128);
    mine[5] = tile.thread_rank() + 1000 * tile.meta_group_rank() + 100000 * tile.meta_group_size();
    mine[6] = warp.meta_group_rank() + 10 * warp.meta_group_size();
    mine[7] = tile.size();
}
)";

/// The part of cuda::std that kernels may use.
inline constexpr const char* cuda_std = R"(
#include <cuda/std/array>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
namespace std_ = cuda::std;
template <class T, std_::enable_if_t<std_::is_integral<T>::value, int> = 0> __device__ int kind(T) { return 1; }
template <class T, std_::enable_if_t<std_::is_floating_point_v<T>, int> = 0> __device__ int kind(T) { return 2; }
template <class T> __device__ T largest(const T* x, int n) {
    T most = std_::numeric_limits<T>::lowest();
    for (int k = 0; k < n; ++k) most = std_::max(most, x[k]);
    return most;
}
__global__ void library(double* out, const float* x, int n) {
    out[0] = largest(x, n);
    out[1] = std_::numeric_limits<float>::max();
    out[2] = (double)std_::numeric_limits<std_::int16_t>::min() + std_::numeric_limits<unsigned>::digits;
    std_::pair<int, float> p{3, 2.5f};
    auto q = std_::make_pair(4, 0.5);
    std_::swap(p.first, q.first);
    out[3] = p.first * 10 + q.first + p.second + q.second;
    auto t = std_::make_tuple(1, 2.5f, 'a');
    auto [a, b, c] = t;
    std_::get<0>(t) = 7;
    out[4] = std_::get<0>(t) + a + b + c + std_::tuple_size<decltype(t)>::value;
    int u;
    double v;
    std_::tie(u, v) = std_::make_tuple(5, 0.25);
    out[5] = u + v;
    std_::array<int, 4> list{1, 2, 3, 4};
    int sum = 0;
    for (int one : list) sum += one;
    list.fill(9);
    out[6] = sum + 100 * list[3] + 1000 * (double)list.size();
    out[7] = kind(3) + 10 * kind(2.5f);
    out[8] = std_::exchange(sum, 1) + sum + std_::min(4, 2);
    out[9] = std_::is_same_v<std_::decay_t<const int&>, int> +
             2 * std_::is_same_v<std_::make_unsigned_t<int>, unsigned>;
    out[10] = std_::numeric_limits<double>::infinity() > 1e300 && std_::numeric_limits<float>::epsilon() < 1e-6f;
}
)";

/// cuda_bf16.h.
inline constexpr const char* bfloat16 = R"(
#include <cuda_bf16.h>
__global__ void round_trip(const float* x, float* y, unsigned short* bits, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    bits[4 * i] = __bfloat16_as_ushort(__float2bfloat16(x[i]));
    bits[4 * i + 1] = __bfloat16_as_ushort(__float2bfloat16_rz(x[i]));
    bits[4 * i + 2] = __bfloat16_as_ushort(__float2bfloat16_ru(x[i]));
    bits[4 * i + 3] = __bfloat16_as_ushort(__float2bfloat16_rd(x[i]));
    y[i] = __bfloat162float(__float2bfloat16(x[i]));
}
__global__ void arithmetic(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const __nv_bfloat16 a = x[i], b = x[(i + 1) % n];
    float* out = y + 8 * i;
    out[0] = a + b;
    out[1] = a * b;
#if __CUDA_ARCH__ >= 800
    out[2] = __bfloat162float(__hfma(a, b, a));
#else
    out[2] = __bfloat162float(__float2bfloat16(fmaf(a, b, a)));
#endif
    out[3] = __bfloat162float(__hmax(a, b)) + (a < b ? 1000.0f : 0.0f);
    const __nv_bfloat162 v = __halves2bfloat162(a, b), w = __hadd2(v, v) * v;
    out[4] = __low2float(w);
    out[5] = __bfloat1622float2(w).y;
    out[6] = __bfloat162int_rn(a) + 100.0f * (__hisnan(a) + __heq(a, a));
    out[7] = __bfloat162float(hsqrt(__habs(b))) + __bfloat162float(-a);
}
__global__ void sum(const __nv_bfloat16* x, __nv_bfloat16* out) {
    __nv_bfloat16 v = x[threadIdx.x];
    for (int by = 16; by > 0; by /= 2) v += __shfl_down_sync(0xffffffffu, v, by);
    if (threadIdx.x == 0) atomicAdd(out, v);
}
)";

}  // namespace texts
