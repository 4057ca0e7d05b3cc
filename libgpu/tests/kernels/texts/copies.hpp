// SPDX-License-Identifier: MIT
#pragma once

namespace texts {

/// The primitives, and the copies of groups: sizes, zeros, groups of copies that are waited for one after the other.
inline constexpr const char* copies = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

// Pieces of 4, 8 and 16 bytes, the last two partly zeros.
__global__ void sizes(const int* x, int* y) {
    __shared__ int4 s[32][3];
    int t = threadIdx.x;
    for (int k = 0; k < 3; ++k) s[t][k] = make_int4(-1, -1, -1, -1);
    __pipeline_memcpy_async(&s[t][0], x + 4 * t, 4);
    __pipeline_memcpy_async(&s[t][1], x + 4 * t, 8, 4);
    __pipeline_memcpy_async(&s[t][2], x + 4 * t, sizeof(int4), sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    int* out = y + 12 * t;
    for (int k = 0; k < 3; ++k) {
        int4 v = s[t][k];
        out[4 * k] = v.x; out[4 * k + 1] = v.y; out[4 * k + 2] = v.z; out[4 * k + 3] = v.w;
    }
}
// Up to `depth` groups are under way.
__global__ void in_turns(const int* x, int* sums, int rounds, int depth) {
    __shared__ int s[9][64];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < depth; ++k) {
        if (k < rounds) __pipeline_memcpy_async(&s[k][t], x + k * 64 + t, 4);
        __pipeline_commit();
    }
    for (int k = 0; k < rounds; ++k) {
        __pipeline_wait_prior(depth - 1);
        sum = sum * 3 + s[k % depth][t];
        if (k + depth < rounds) __pipeline_memcpy_async(&s[k % depth][t], x + (k + depth) * 64 + t, 4);
        __pipeline_commit();
    }
    sums[t] = sum;
}
// Bytes, whole elements, promised alignment, less than is there; by the block, by tiles and by the threads that run.
__global__ void by_groups(const int* x, const char* bytes, int* y) {
    __shared__ alignas(16) int a[128], b[128], c[128], d[128];
    __shared__ char text[100];
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    cg::coalesced_group some = cg::coalesced_threads();
    int t = block.thread_rank(), w = t / 32 * 32;
    cg::memcpy_async(block, a, x, sizeof(int) * 128);
    cg::memcpy_async(block, b, x + 128, cuda::aligned_size_t<16>(sizeof(int) * 128));
    cg::wait_prior<1>(block);
    int sum = a[127 - t];
    cg::wait(block);
    sum += 3 * b[127 - t];
    cg::memcpy_async(tile, c + w, 32, x + 256 + w, 40);
    cg::memcpy_async(tile, (void*)(d + w), (const void*)(x + 384 + w), sizeof(int) * 32);
    cg::wait(tile);
    sum += 5 * c[w + (t + 1) % 32] + 7 * d[w + (t + 2) % 32];
    cg::memcpy_async(block, text, bytes + 1, 99);
    cg::wait(block);
    if (t < 99) sum += 11 * text[98 - t];
    cg::memcpy_async(some, a + w, x + 512 + w, sizeof(int) * 32);
    cg::wait(some);
    y[t] = sum + 13 * a[w + (t + 3) % 32];
}
)";

/// cuda::pipeline of a thread and of a block, with and without roles.
inline constexpr const char* cuda_pipeline = R"(
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
struct CopiedPair { int a; float b; };

__global__ void of_a_thread(const CopiedPair* x, float* y, int n) {
    __shared__ CopiedPair s[4][32];
    int t = threadIdx.x;
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    for (int k = 0; k < 3; ++k) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[k][t], x + k * 32 + t, sizeof(CopiedPair), pipe);
        pipe.producer_commit();
    }
    float sum = 0;
    for (int k = 0; k < n; ++k) {
        if (k + 3 < n) {
            pipe.producer_acquire();
            const auto size = cuda::aligned_size_t<8>(sizeof(CopiedPair));
            cuda::memcpy_async(&s[(k + 3) % 4][t], x + (k + 3) * 32 + t, size, pipe);
            pipe.producer_commit();
            cuda::pipeline_consumer_wait_prior<3>(pipe);
        } else {
            pipe.consumer_wait();
        }
        sum = 2 * sum + s[k % 4][t].a * s[k % 4][t].b;
        pipe.consumer_release();
    }
    y[t] = sum;
    pipe.quit();
}
// All threads copy, and all read; each piece of a batch comes in another way.
template <int Stages> __device__ void batches(const int* x, int* y, int n) {
    __shared__ int4 s[Stages][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
    cg::thread_block block = cg::this_thread_block();
    int t = block.thread_rank(), sum = 0;
    cuda::pipeline<cuda::thread_scope_block> pipe = cuda::make_pipeline(block, &state);
    for (int k = 0, next = 0; k < n; ++k) {
        for (; next < n && next < k + Stages; ++next) {
            pipe.producer_acquire();
            int4* to = s[next % Stages];
            const int4* from = (const int4*)x + next * 64;
            if (next % 4 == 0) cuda::memcpy_async(to + t, from + t, sizeof(int4), pipe);
            if (next % 4 == 1) cuda::memcpy_async(block, to, from, 64 * sizeof(int4), pipe);
            const cuda::aligned_size_t<16> all(1024);
            if (next % 4 == 2) cuda::memcpy_async(block, (void*)to, (const void*)from, all, pipe);
            if (next % 4 == 3 && t == 5) cuda::memcpy_async((void*)to, (const void*)from, 1024, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        int4 v = s[k % Stages][63 - t];
        sum = 3 * sum + v.x + v.y * v.z - v.w;
        pipe.consumer_release();
    }
    y[blockIdx.x * 64 + t] = sum;
}
__global__ void of_a_block(const int* x, int* y, int n, int stages) {
    if (stages == 1) batches<1>(x, y, n);
    if (stages == 2) batches<2>(x, y, n);
    if (stages == 4) batches<4>(x, y, n);
}
// The first 32 threads copy; how many they are is said by number or found out.
__global__ void with_roles(const int* x, int* y, int n, int counted) {
    __shared__ int s[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    cg::thread_block block = cg::this_thread_block();
    int t = threadIdx.x;
    auto role = t < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto work = [&](cuda::pipeline<cuda::thread_scope_block>& pipe) {
        int sum = 0;
        for (int k = 0; k < n; ++k) {
            if (t < 32) {
                pipe.producer_acquire();
                cuda::memcpy_async(&s[k % 2][t], x + k * 64 + t, 4, pipe);
                cuda::memcpy_async(&s[k % 2][t + 32], x + k * 64 + t + 32, 4, pipe);
                pipe.producer_commit();
            } else {
                pipe.consumer_wait();
                sum = 3 * sum + s[k % 2][95 - t];
                pipe.consumer_release();
            }
        }
        if (t >= 32) y[t - 32] = sum;
    };
    if (counted) {
        auto pipe = cuda::make_pipeline(block, &state, 32);
        work(pipe);
    } else {
        auto pipe = cuda::make_pipeline(block, &state, role);
        work(pipe);
    }
}
)";

/// cuda::barrier: phases, threads that leave, halves of a block, and copies that a phase waits for.
inline constexpr const char* cuda_barrier = R"(
#include <cooperative_groups.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void phases(int* y, int n) {
    __shared__ int s[64];
    __shared__ barrier all;
    int t = threadIdx.x, sum = 0;
    if (t == 0) init(&all, blockDim.x);
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        s[t] = t * k;
        barrier::arrival_token token = all.arrive();
        sum = 3 * sum + k;
        all.wait(static_cast<barrier::arrival_token&&>(token));
        sum += s[63 - t];
        all.arrive_and_wait();
    }
    y[blockIdx.x * 64 + t] = sum;
}
// Each round one thread fewer comes; the others wait by parity.
__global__ void leaving(int* y) {
    __shared__ barrier all;
    __shared__ int turn;
    int t = threadIdx.x;
    if (t == 0) {
        init(&all, blockDim.x);
        turn = 0;
    }
    __syncthreads();
    for (int k = 0; k < t; ++k) {
        (void)all.arrive();
        all.wait_parity(k % 2);
    }
    turn = t;
    y[t] = turn;
    all.arrive_and_drop();
}
// Two warps hand a buffer to and fro, each side with a barrier of its own.
__global__ void to_and_fro(const int* x, int* y, int n) {
    __shared__ barrier full, empty;
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t == 0) {
        init(&full, 64);
        init(&empty, 64);
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < n; ++k) {
            if (k > 0) empty.arrive_and_wait();
            s[t] = x[k * 32 + t];
            (void)full.arrive();
        }
    } else {
        int sum = 0;
        for (int k = 0; k < n; ++k) {
            full.arrive_and_wait();
            sum = 3 * sum + s[63 - t];
            if (k + 1 < n) (void)empty.arrive();
        }
        y[t - 32] = sum;
    }
}
__global__ void copied(const int* x, int* y, int n) {
    __shared__ int s[2][64];
    __shared__ barrier there[2];
    cg::thread_block block = cg::this_thread_block();
    int t = threadIdx.x, sum = 0;
    if (t < 2) init(there + t, 64);
    block.sync();
    cuda::memcpy_async(block, s[0], x, sizeof(int) * 64, there[0]);
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n) cuda::memcpy_async(&s[(k + 1) % 2][t], x + (k + 1) * 64 + t, sizeof(int), there[(k + 1) % 2]);
        there[k % 2].arrive_and_wait();
        sum = 3 * sum + s[k % 2][63 - t];
        block.sync();
    }
    y[t] = sum;
}
)";

}  // namespace texts
