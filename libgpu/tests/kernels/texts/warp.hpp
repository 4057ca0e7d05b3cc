// SPDX-License-Identifier: MIT
#pragma once

namespace texts {

/// Every warp operation, for every type that CUDA has it for.
inline constexpr const char* warp = R"(
template <class T> __device__ T lanes_value(int lane) { return (T)(lane * 3 - 7); }
// 1 where each of the shuffles brings what it must.
template <class T> __device__ int shuffles_right(int lane) {
    T v = lanes_value<T>(lane);
    bool right = __shfl_sync(0xffffffffu, v, 9) == lanes_value<T>(9);
    right = right && __shfl_sync(0xffffffffu, v, lane + 33) == lanes_value<T>((lane + 1) % 32);
    right = right && __shfl_up_sync(0xffffffffu, v, 5) == lanes_value<T>(lane >= 5 ? lane - 5 : lane);
    right = right && __shfl_down_sync(0xffffffffu, v, 7) == lanes_value<T>(lane + 7 < 32 ? lane + 7 : lane);
    right = right && __shfl_xor_sync(0xffffffffu, v, 21) == lanes_value<T>(lane ^ 21);
    right = right && __shfl_sync(0xffffffffu, v, 6, 4) == lanes_value<T>(lane / 4 * 4 + 2);
    right = right && __shfl_up_sync(0xffffffffu, v, 1, 2) == lanes_value<T>(lane % 2 ? lane - 1 : lane);
    right = right && __shfl_down_sync(0xffffffffu, v, 9, 16) == lanes_value<T>(lane % 16 < 7 ? lane + 9 : lane);
    right = right && __shfl_xor_sync(0xffffffffu, v, 1, 16) == lanes_value<T>(lane ^ 1);
    return right;
}
__global__ void all_types(int* out) {
    int lane = threadIdx.x % warpSize;
    int right = 0;
    right += shuffles_right<int>(lane);
    right += shuffles_right<unsigned>(lane) << 1;
    right += shuffles_right<long>(lane) << 2;
    right += shuffles_right<unsigned long>(lane) << 3;
    right += shuffles_right<long long>(lane) << 4;
    right += shuffles_right<unsigned long long>(lane) << 5;
    right += shuffles_right<float>(lane) << 6;
    right += shuffles_right<double>(lane) << 7;
    right += shuffles_right<short>(lane) << 8;
    right += shuffles_right<unsigned char>(lane) << 9;
    out[threadIdx.x] = right;
}
enum Colour { red, green = 1000000, blue };
__global__ void types_of_results(int* out) {
    bool yes = true;
    short s = -3;
    Colour c = threadIdx.x == 4 ? blue : red;
    static_assert(sizeof(__shfl_sync(0xffffffffu, s, 0)) == sizeof(int), "a short is moved as an int");
    out[threadIdx.x] = __shfl_sync(0xffffffffu, yes, 3) + __shfl_sync(0xffffffffu, s, 0) +
                       (__shfl_sync(0xffffffffu, (int)c, 4) == blue);
}
__global__ void votes(unsigned* out) {
    int t = threadIdx.x, lane = t % 32;
    unsigned* mine = out + t * 12;
    mine[0] = __ballot_sync(0xffffffffu, lane % 3 == 0);
    mine[1] = __any_sync(0xffffffffu, t == 37) != 0;
    mine[2] = __all_sync(0xffffffffu, t < 32) != 0;
    mine[3] = __match_any_sync(0xffffffffu, lane % 5);
    mine[4] = __match_any_sync(0xffffffffu, (lane / 8) * 0.5);
    mine[5] = __match_any_sync(0xffffffffu, (long long)(lane % 2) << 40);
    int same = 7;
    unsigned equal = __match_all_sync(0xffffffffu, 2.5f, &same);
    mine[6] = equal + same;
    mine[7] = __match_all_sync(0xffffffffu, lane == 30, &same);
    mine[8] = same;
    unsigned mask = lane % 2 ? 0xaaaaaaaau : 0x55555555u;
    if (lane % 2) {
        mine[9] = __ballot_sync(mask, lane > 20);
        mine[10] = __match_all_sync(mask, 1, &same);
    } else {
        mine[9] = __ballot_sync(mask, lane < 5);
        mine[10] = __match_any_sync(mask, lane / 16);
    }
    mine[11] = same;
}
__global__ void predicates(unsigned* out) {
    unsigned active = __activemask();
    out[threadIdx.x] = active;
    if (threadIdx.x % 4 == 1) {
        unsigned some = __activemask();
        int leader = __ffs(some) - 1;
        int v = __shfl_sync(some, (int)threadIdx.x, leader);
        out[32 + threadIdx.x] = __popc(some) * 1000 + v;
    }
}
)";

/// The reductions of sm_80 and newer.
inline constexpr const char* warp_reductions = R"(
#if __CUDA_ARCH__ >= 800
__global__ void reductions(int* out) {
    int t = threadIdx.x, lane = t % 32;
    int* mine = out + t * 12;
    int v = (lane * 37 % 32 - 16) * 1000;
    unsigned u = (unsigned)lane * 2654435761u;
    mine[0] = __reduce_add_sync(0xffffffffu, v);
    mine[1] = __reduce_min_sync(0xffffffffu, v);
    mine[2] = __reduce_max_sync(0xffffffffu, v);
    mine[3] = (int)__reduce_add_sync(0xffffffffu, u);
    mine[4] = (int)__reduce_min_sync(0xffffffffu, u | 1u);
    mine[5] = (int)__reduce_max_sync(0xffffffffu, u);
    mine[6] = (int)__reduce_and_sync(0xffffffffu, u | 0xf0f0u);
    mine[7] = (int)__reduce_or_sync(0xffffffffu, u & 0xffff00u);
    mine[8] = (int)__reduce_xor_sync(0xffffffffu, u);
    unsigned mask = lane < 10 ? 0x3ffu : ~0x3ffu;
    if (lane < 10) mine[9] = __reduce_add_sync(mask, lane);
    else mine[9] = __reduce_max_sync(mask, -lane);
}
#else
__global__ void reductions(int* out) {}
#endif
)";

}  // namespace texts
