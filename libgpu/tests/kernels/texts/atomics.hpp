// SPDX-License-Identifier: MIT
#pragma once

namespace texts {

/// Every atomic function with every type that CUDA has it for, in its three scopes.
inline constexpr const char* atomics = R"(
// Each of n threads works on cells of its own kind; what comes out doesn't depend on their order.
template <class T> __device__ void integers(T* cell, int i, int n) {
    atomicMin(&cell[0], (T)(1000 - i));
    atomicMax(&cell[1], (T)i);
    atomicAnd(&cell[2], ~((T)1 << i % 20));
    atomicOr(&cell[3], (T)1 << i % 20);
    atomicXor(&cell[4], (T)i);
    atomicMin_block(&cell[5], (T)(1000 - i));
    atomicMax_system(&cell[5], (T)0);
    atomicOr_system(&cell[6], (T)i);
    atomicXor_block(&cell[7], (T)3);
}
template <class T> __device__ void words(T* cell, int i, int n) {
    atomicAdd(&cell[0], (T)i);
    atomicAdd_block(&cell[1], (T)2);
    atomicAdd_system(&cell[1], (T)1);
    T expected = atomicAdd(&cell[2], (T)0);
    for (;;) {
        T old = atomicCAS(&cell[2], expected, (T)(expected + 3));
        if (old == expected) break;
        expected = old;
    }
    if (atomicExch(&cell[3], (T)1) == 0) atomicAdd(&cell[4], (T)1);
    atomicCAS_block(&cell[5], (T)0, (T)(i + 1));
    atomicExch_system(&cell[6], (T)9);
}
__global__ void integers_of(int* a, unsigned* b, long long* c, unsigned long long* d, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    integers(a, i, n);
    integers(b, i, n);
    integers(c, i, n);
    integers(d, i, n);
}
__global__ void words_of(int* a, unsigned* b, unsigned long long* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    words(a, i, n);
    words(b, i, n);
    words(c, i, n);
    atomicSub(&a[7], i);
    atomicSub_system(&b[7], 2u);
    unsigned old = atomicInc(&b[8], 6u), low = atomicDec(&b[9], 4u);
    atomicAdd(&b[10], old);
    atomicAdd(&b[11], low);
}
__global__ void reals(float* f, double* d, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&f[0], 0.5f);
    atomicAdd_block(&f[1], 1.0f);
    atomicAdd_system(&d[0], 0.25);
    atomicAdd(&d[1], (double)i);
    float old = atomicExch(&f[2], (float)i);
    atomicAdd(&d[2], (double)old);
}
// Sixteen bits: a lock-free count in each half of a word.
__global__ void halves(unsigned short* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned short *mine = &x[i % 2], seen = 0;
    for (;;) {
        unsigned short old = atomicCAS(mine, seen, (unsigned short)(seen + 1));
        if (old == seen) break;
        seen = old;
    }
}
__global__ void in_shared(int* out, int n) {
    __shared__ int bins[16];
    __shared__ float sum;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 16) bins[t] = 0;
    if (t == 0) sum = 0;
    __syncthreads();
    if (i < n) {
        atomicAdd_block(&bins[i * 7 % 16], 1);
        atomicAdd(&sum, 1.0f);
    }
    __syncthreads();
    if (t < 16) atomicAdd(&out[t], bins[t]);
    if (t == 16) atomicAdd(&out[16], (int)sum);
}
__device__ volatile int message;
__global__ void fences(int* out) {
    if (threadIdx.x == 0) message = 17;
    __threadfence();
    __threadfence_block();
    __threadfence_system();
    __syncthreads();
    out[threadIdx.x] = message;
}
)";

}  // namespace texts
