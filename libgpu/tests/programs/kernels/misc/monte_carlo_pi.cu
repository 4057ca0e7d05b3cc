// SPDX-License-Identifier: MIT
// Points in a quarter of a circle: each thread has a linear congruential generator of its own, and jumps to its part of
// one sequence, so that the count doesn't depend on the number of threads.

constexpr unsigned long long factor = 6364136223846793005ull, addend = 1442695040888963407ull;

// The generator's state after so many steps, by repeated squaring of the step.
__device__ unsigned long long state_after(unsigned long long state, unsigned long long steps) {
    unsigned long long a = factor, c = addend;
    for (; steps > 0; steps /= 2) {
        if (steps % 2 == 1) state = state * a + c;
        c += a * c;
        a *= a;
    }
    return state;
}

__global__ void count_inside(unsigned long long seed, int points, int* count) {
    int threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
    int each = (points + threads - 1) / threads, first = min(thread * each, points), end = min(first + each, points);
    unsigned long long state = state_after(seed, 2ull * first);
    int inside = 0;
    for (int k = first; k < end; ++k) {
        long long x = (state = state * factor + addend) >> 40;
        long long y = (state = state * factor + addend) >> 40;
        inside += x * x + y * y < 1ll << 48;
    }
    for (int distance = 16; distance > 0; distance /= 2) inside += __shfl_down_sync(0xffffffffu, inside, distance);
    if (threadIdx.x % 32 == 0) atomicAdd(count, inside);
}
