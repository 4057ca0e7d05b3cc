// SPDX-License-Identifier: MIT
#pragma once

namespace texts {

/// Barriers of a part of the block: two warps hand a piece of shared memory to and fro, and a third does without.
inline constexpr const char* named_barriers = R"(
__global__ void hand_over(int* out, int rounds) {
    __shared__ int s[32];
    int t = threadIdx.x, sum = 0;
    for (int r = 0; r < rounds; ++r) {
        if (t < 32) {
            s[t] = t * r + blockIdx.x;
            __barrier_sync_count(1, 64);
            __barrier_sync_count(2, 64);
        } else if (t < 64) {
            __barrier_sync_count(1, 64);
            sum += s[63 - t];
            __barrier_sync_count(2, 64);
        }
    }
    if (t >= 32 && t < 64) out[blockIdx.x * 32 + t - 32] = sum;
    __barrier_sync(0);
    if (t >= 64 && t < 96) out[blockIdx.x * 32 + t - 64] += 1000000;
}
)";

/// cuda::atomic and cuda::atomic_ref: all operations, sizes and kinds; messages by release and acquire.
inline constexpr const char* cuda_atomic = R"(
#include <cuda/atomic>
#include <cuda/std/atomic>
struct Pair { int a, b; };
__device__ cuda::atomic<int, cuda::thread_scope_device> counter{5};
__device__ cuda::std::atomic<unsigned long long> large;

__global__ void one_thread(int* out) {
    int object = 3, n = 0;
    cuda::atomic_ref<int> a(object);
    out[n++] = ++a; out[n++] = a--; out[n++] = a; out[n++] = a = 12; out[n++] = a &= 9;
    out[n++] = a ^= 1; out[n++] = a |= 6;
    out[n++] = a.fetch_max(20); out[n++] = a.fetch_min(3, cuda::memory_order_relaxed);
    out[n++] = a.fetch_or(4); out[n++] = a.exchange(9);
    int expected = 3;
    out[n++] = a.compare_exchange_strong(expected, 4); out[n++] = expected;
    out[n++] = a.compare_exchange_strong(expected, 4, cuda::memory_order_acq_rel, cuda::memory_order_acquire);
    out[n++] = object;
    out[n++] = counter.fetch_sub(2); out[n++] = counter.load(cuda::memory_order_acquire);
    large.store(0xffffffffffull, cuda::std::memory_order_release); out[n++] = (int)((large += 1) >> 32);
    float f = 1.5f; cuda::atomic_ref<float, cuda::thread_scope_block> g(f);
    g += 2; out[n++] = (int)(2 * g.fetch_max(10)); out[n++] = (int)f;
    Pair p{1, 2}, q{7, 2}; cuda::atomic_ref<Pair> r(p); Pair s = r.load();
    out[n++] = r.compare_exchange_strong(s, q); out[n++] = p.a * 10 + p.b;
    int* w = out; cuda::atomic_ref<int*> v(w); v += 3; v--; out[n++] = (int)(w - out);
    unsigned char byte = 250; cuda::atomic_ref narrow(byte); out[n++] = narrow.fetch_add(10); out[n++] = byte;
    cuda::std::atomic_flag flag; flag.clear(); out[n++] = flag.test_and_set() + 2 * flag.test_and_set();
    counter.store(5);
}
// Each element is added to by all threads, in shared and in global memory.
__global__ void histogram(const int* x, int* bins, double* sum, int n) {
    __shared__ cuda::atomic<int, cuda::thread_scope_block> own[16];
    if (threadIdx.x < 16) own[threadIdx.x].store(0, cuda::memory_order_relaxed);
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) own[x[i] & 15].fetch_add(1, cuda::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x < 16) cuda::atomic_ref<int, cuda::thread_scope_device>(bins[threadIdx.x]) += own[threadIdx.x];
    if (i < n) cuda::atomic_ref<double, cuda::thread_scope_device>(*sum).fetch_add(x[i], cuda::memory_order_relaxed);
}
// Each block takes over the sum of the one before it.
__global__ void chain(const int* x, int* sums, int* ready) {
    if (threadIdx.x != 0) return;
    int before = 0;
    if (blockIdx.x > 0) {
        cuda::atomic_ref<int, cuda::thread_scope_device> flag(ready[blockIdx.x - 1]);
        while (flag.load(cuda::memory_order_acquire) == 0) {}
        before = sums[blockIdx.x - 1];
    }
    sums[blockIdx.x] = before + x[blockIdx.x];
    cuda::atomic_ref<int, cuda::thread_scope_device>(ready[blockIdx.x]).store(1, cuda::memory_order_release);
}
// The last thread wakes the first.
__global__ void wakes(int* out) {
    __shared__ cuda::atomic<int, cuda::thread_scope_block> turn;
    __shared__ int value;
    if (threadIdx.x == 0) turn = 0;
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) {
        value = 5;
        turn.store(1, cuda::memory_order_release);
        turn.notify_all();
    } else if (threadIdx.x == 0) {
        turn.wait(0, cuda::memory_order_acquire);
        out[0] = value;
    }
}
)";

/// Barriers of the whole grid: a sum in two steps, and steps of a ring that each reads what another block wrote.
inline constexpr const char* grid_sync = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ double part[64];
__global__ void sum(const float* x, double* out, int n) {
    cg::grid_group grid = cg::this_grid();
    __shared__ double all;
    if (threadIdx.x == 0) all = 0;
    __syncthreads();
    double own = 0;
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) own += x[i];
    atomicAdd(&all, own);
    __syncthreads();
    if (threadIdx.x == 0) part[blockIdx.x] = all;
    grid.sync();
    double total = 0;
    for (int b = 0; b < gridDim.x; ++b) total += part[b];
    if (threadIdx.x == 0) out[blockIdx.x] = grid.is_valid() ? total : -1;
}
__global__ void ring(int* x, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    if (threadIdx.x == 1) return;
    for (int step = 0; step < steps; ++step) {
        int v = x[(i + blockDim.x) % n];
        cg::this_grid().sync();
        x[i] = v + 1;
        cg::sync(cg::this_grid());
    }
}
)";

/// cuRAND's generators XORWOW and Philox4_32_10.
inline constexpr const char* curand = R"(
#include <curand_kernel.h>
// Four cases: two seeds, sequences and offsets of each generator. 12 words and 12 numbers each.
template <class S> __device__ void draw(unsigned* bits, double* numbers, unsigned long long seed,
                                        unsigned long long sequence, unsigned long long offset) {
    S s;
    curand_init(seed, sequence, offset, &s);
    for (int k = 0; k < 9; ++k) bits[k] = curand(&s);
    skipahead(1234567, &s);
    bits[9] = curand(&s);
    skipahead_sequence(77, &s);
    bits[10] = curand(&s);
    bits[11] = curand(&s);
    numbers[0] = curand_uniform(&s);
    numbers[1] = curand_uniform_double(&s);
    numbers[2] = curand_normal(&s);
    numbers[3] = curand_normal(&s);
    numbers[4] = curand_normal_double(&s);
    numbers[5] = curand_normal_double(&s);
    numbers[6] = curand_log_normal(&s, 0.5f, 0.25f);
    numbers[7] = curand_log_normal(&s, 0.5f, 0.25f);
    numbers[8] = curand_normal2(&s).y;
    numbers[9] = curand_normal2_double(&s).x;
    numbers[10] = curand_log_normal2_double(&s, -1, 2).y;
    numbers[11] = curand_log_normal_double(&s, -1, 2);
}
__global__ void draws(unsigned* bits, double* numbers) {
    draw<curandState>(bits, numbers, 1234, 0, 0);
    draw<curandStateXORWOW_t>(bits + 12, numbers + 12, 0x123456789abcdefull, 100003, 5000000019ull);
    draw<curandStatePhilox4_32_10_t>(bits + 24, numbers + 24, 1234, 0, 0);
    draw<curandStatePhilox4_32_10_t>(bits + 36, numbers + 36, 0x123456789abcdefull, 100003, 5000000019ull);
}
// What Philox makes four at once, begun at each of a block's places.
__global__ void fours(unsigned* bits, double* numbers) {
    for (int first = 0; first < 4; ++first) {
        curandStatePhilox4_32_10_t s;
        curand_init(99, 5, first, &s);
        uint4 a = curand4(&s);
        float4 b = curand_uniform4(&s), c = curand_normal4(&s);
        double2 d = curand_uniform2_double(&s);
        bits[3 * first] = a.x;
        bits[3 * first + 1] = a.y ^ a.z;
        bits[3 * first + 2] = a.w;
        numbers[3 * first] = b.x + b.y * 2 + b.z * 4 + b.w * 8;
        numbers[3 * first + 1] = c.x + c.y * 2 + c.z * 4 + c.w * 8;
        numbers[3 * first + 2] = d.x + d.y * 2;
    }
}
// A state for each thread, kept between launches, as the guide has it.
__global__ void begin(curandState* states, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) curand_init(7, i, 0, &states[i]);
}
__global__ void inside(curandState* states, unsigned long long* hits, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    curandState own = states[i];
    unsigned count = 0;
    for (int k = 0; k < rounds; ++k) {
        float x = curand_uniform(&own), y = curand_uniform(&own);
        count += x * x + y * y <= 1.0f;
    }
    states[i] = own;
    atomicAdd(hits, (unsigned long long)count);
}
)";

/// The kernels' heap: pieces of a thread, a list that a block shares, what a later launch frees.
inline constexpr const char* device_heap = R"(
struct Node {
    int value;
    Node* next;
    __device__ Node(int v, Node* n) : value(v), next(n) {}
};
struct Shape { __device__ virtual int area() const = 0; __device__ virtual ~Shape() {} };
struct Box : Shape {
    int* sides;
    __device__ Box(int a, int b) : sides(new int[2]) { sides[0] = a; sides[1] = b; }
    __device__ ~Box() { delete[] sides; }
    __device__ int area() const override { return sides[0] * sides[1]; }
};
__device__ int* kept[64];
__global__ void pieces(int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int* p = (int*)malloc((i % 7 + 1) * sizeof(int));
    for (int k = 0; k <= i % 7; ++k) p[k] = i + k;
    int sum = 0;
    for (int k = 0; k <= i % 7; ++k) sum += p[k];
    free(p);
    Shape* box = new Box(i, 3);
    out[i] = sum + 1000 * box->area();
    delete box;
    free(nullptr);
}
__global__ void list(int* out) {
    __shared__ Node* head;
    if (threadIdx.x == 0) {
        head = nullptr;
        for (int k = 0; k < blockDim.x; ++k) head = new Node(k, head);
    }
    __syncthreads();
    Node* node = head;
    for (int k = 0; k < threadIdx.x; ++k) node = node->next;
    out[blockIdx.x * blockDim.x + threadIdx.x] = node->value;
    __syncthreads();
    for (Node* n = threadIdx.x == 0 ? head : nullptr; n != nullptr;) {
        Node* next = n->next;
        delete n;
        n = next;
    }
}
__global__ void keep(int n) {
    int i = threadIdx.x;
    kept[i] = (int*)malloc(n * sizeof(int));
    for (int k = 0; k < n; ++k) kept[i][k] = i * k;
}
__global__ void give(int* out, int n) {
    int i = threadIdx.x, sum = 0;
    for (int k = 0; k < n; ++k) sum += kept[i][k];
    out[i] = sum;
    free(kept[i]);
}
__global__ void exhaust(int* out) {
    void* large = malloc(9 << 20);
    void* first = malloc(5 << 20);
    void* second = malloc(5 << 20);
    out[0] = (large == nullptr) + 2 * (first != nullptr) + 4 * (second == nullptr);
    free(first);
    void* third = malloc(5 << 20);
    out[0] += 8 * (third != nullptr);
    free(third);
}
)";

}  // namespace texts
