// SPDX-License-Identifier: MIT
#pragma once

namespace texts {

/// Divergence, partial masks, early ends and barriers, as correct CUDA C++ has them.
inline constexpr const char* torture = R"(
__device__ int rank_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

__global__ void branches(int* out) {
    int t = threadIdx.x, lane = t % 32, v = t * 3 + 1;
    if (lane < 16) {
        if (lane < 8) {
            v += __shfl_xor_sync(0x000000ffu, v, 3);
        } else {
            v = v * 2;
            if (lane % 2) v += __shfl_sync(0x0000aa00u, v, 11);
            else v -= __shfl_sync(0x00005500u, v, 8);
            __syncwarp(0x0000ff00u);
            v += __shfl_down_sync(0x0000ff00u, v, 1, 8);
        }
    } else {
        for (int k = 0; k < 3; ++k)
            if (lane >= 24) v += __shfl_up_sync(0xff000000u, v, 1, 8);
            else v += k;
    }
    __syncwarp();
    out[t] = v + __shfl_sync(0xffffffffu, v, 31 - lane);
}

__global__ void trips(int* out) {
    __shared__ int s[1024];
    int t = rank_in_block(), n = blockDim.x * blockDim.y * blockDim.z, sum = 0;
    for (int k = 0; k < t % 7; ++k) {
        if (k == 3 && t % 2) continue;
        sum += k * t;
        if (sum > 5000) break;
    }
    s[t] = sum;
    __syncthreads();
    int neighbour = s[(t + 1) % n];
    __syncthreads();
    s[t] = neighbour - sum;
    __syncthreads();
    out[blockIdx.x * n + t] = s[n - 1 - t];
}

// Each group of 8 lanes leaves its loop at another time; the groups never meet in an operation.
__global__ void groups_of_eight(int* out) {
    int t = threadIdx.x, lane = t % 32, group = lane / 8, v = lane;
    unsigned mask = 0xffu << group * 8;
    for (int k = 0; k <= group * 2; ++k) {
        v += __shfl_xor_sync(mask, v, 1 << k % 3);
        if (__any_sync(mask, v > 200000)) break;
    }
    __syncthreads();
    out[t] = v;
}

__global__ void both_halves(int* out, int rounds) {
    __shared__ int s[256];
    int t = threadIdx.x, lane = t % 32;
    s[t] = t;
    __syncthreads();
    for (int r = 0; r < rounds; ++r) {
        int v = s[(t + r) % blockDim.x];
        if (lane < 16) {
            for (int w = 8; w > 0; w /= 2) v += __shfl_down_sync(0x0000ffffu, v, w, 16);
        } else {
            for (int w = 1; w < 16; w *= 2) v = max(v, __shfl_xor_sync(0xffff0000u, v, w));
        }
        __syncthreads();
        s[t] = v % 1000;
        __syncthreads();
    }
    out[t] = s[t];
}

__global__ void some_return(int* out, int every) {
    __shared__ int alive;
    int t = threadIdx.x;
    if (t == 0) alive = 0;
    __syncthreads();
    if (t % every == 1) return;
    unsigned there = __ballot_sync(0xffffffffu, 1);
    int v = __popc(there);
    for (int k = 0; k < 3; ++k) {
        if (t % every == 2 && k == 1) return;
        __syncthreads();
        atomicAdd(&alive, 1);
        int agree = __syncthreads_count(t % 2);
        if (k == 2) v += agree * 1000;
    }
    out[t] = v + (t == 0 ? alive * 100000 : 0);
}

__device__ int exchange(int* s, int v, int by) {
    int n = blockDim.x;
    __syncthreads();
    s[threadIdx.x] = v;
    __syncthreads();
    return s[(threadIdx.x + by) % n];
}
__device__ int deep_exchange(int* s, int v, int depth) {
    if (depth == 0) return v;
    return deep_exchange(s, exchange(s, v, depth) + 1, depth - 1) - 1;
}
__global__ void barriers_below(int* out) {
    __shared__ int s[1024];
    out[threadIdx.x] = deep_exchange(s, threadIdx.x, 5);
}

__global__ void vote_barriers(int* out) {
    int t = threadIdx.x, n = blockDim.x;
    int steps = 0;
    for (int k = 0; !__syncthreads_and(k >= t % 11); ++k) ++steps;
    int any = __syncthreads_or(t == n - 1), none = __syncthreads_or(0);
    out[t] = steps * 100 + (any != 0) * 10 + (none != 0);
}

__global__ void bitonic(int* data) {
    __shared__ int s[1024];
    int t = threadIdx.x, n = blockDim.x;
    s[t] = data[blockIdx.x * n + t];
    for (int k = 2; k <= n; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            int other = t ^ j;
            if (other > t) {
                int a = s[t], b = s[other];
                if ((a > b) == ((t & k) == 0)) { s[t] = b; s[other] = a; }
            }
        }
    __syncthreads();
    data[blockIdx.x * n + t] = s[t];
}

__device__ int warp_scan(int v) {
    int lane = threadIdx.x % 32;
    for (int by = 1; by < 32; by *= 2) {
        int left = __shfl_up_sync(0xffffffffu, v, by);
        if (lane >= by) v += left;
    }
    return v;
}
__global__ void scan(const int* x, int* out, int n) {
    __shared__ int sums[32];
    int t = threadIdx.x, warp = t / 32;
    int v = warp_scan(t < n ? x[t] : 0);
    if (t % 32 == 31) sums[warp] = v;
    __syncthreads();
    if (warp == 0) sums[t] = warp_scan(t < blockDim.x / 32 ? sums[t] : 0);
    __syncthreads();
    if (t < n) out[t] = v + (warp > 0 ? sums[warp - 1] : 0);
}

__global__ void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
    __shared__ float as[8][8], bs[8][8 + 1];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y, column = blockIdx.x * 8 + x;
    float sum = 0;
    for (int k = 0; k < inner; k += 8) {
        as[y][x] = row < rows && k + x < inner ? a[row * inner + k + x] : 0.0f;
        bs[y][x] = k + y < inner && column < columns ? b[(k + y) * columns + column] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 8; ++j) sum += as[y][j] * bs[j][x];
        __syncthreads();
    }
    if (row < rows && column < columns) c[row * columns + column] = sum;
}

__device__ unsigned blocks_done = 0;
// The last block to finish adds up what all have written.
__global__ void last_block(const int* x, int* partial, int* total, int n) {
    __shared__ int s[128];
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? x[i] : 0;
    for (int w = blockDim.x / 2; w > 0; w /= 2) {
        __syncthreads();
        if (t < w) s[t] += s[t + w];
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    volatile int* all = partial;
    int sum = 0;
    for (unsigned b = t; b < gridDim.x; b += blockDim.x) sum += all[b];
    atomicAdd(total, sum);
}

// One lane of the lowest warp waits for the highest, politely.
__global__ void waits(int* out) {
    __shared__ int flag;
    int t = threadIdx.x;
    if (t == 0) flag = 0;
    __syncthreads();
    if (t == 5) {
        while (atomicAdd(&flag, 0) == 0) __nanosleep(100);
        out[0] = atomicAdd(&flag, 0);
    }
    if (t == blockDim.x - 1) atomicExch(&flag, 42);
}
)";

}  // namespace texts
