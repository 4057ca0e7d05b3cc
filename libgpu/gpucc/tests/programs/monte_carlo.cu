// SPDX-License-Identifier: MIT
// Pi by random points: a generator as a struct for both sides, 64-bit integers, atomics on unsigned long long.
#include <cstdint>
#include <cstdio>
#include <cinttypes>

struct Generator {
    uint64_t state;
    __host__ __device__ explicit Generator(uint64_t seed) : state(seed * 6364136223846793005ULL + 1) { next(); }
    __host__ __device__ uint32_t next() {
        const uint64_t old = state;
        state = old * 6364136223846793005ULL + 1442695040888963407ULL;
        const uint32_t mixed = (uint32_t)(((old >> 18u) ^ old) >> 27u), turn = (uint32_t)(old >> 59u);
        return (mixed >> turn) | (mixed << ((32u - turn) & 31u));
    }
    __host__ __device__ float uniform() { return (next() >> 8) * (1.0f / 16777216.0f); }
};

__host__ __device__ inline unsigned int hits_of(int thread, int points) {
    Generator generator(thread + 1);
    unsigned int hits = 0;
    for (int k = 0; k < points; ++k) {
        const float x = generator.uniform(), y = generator.uniform();
        hits += x * x + y * y < 1.0f ? 1 : 0;
    }
    return hits;
}
__global__ void throw_points(unsigned long long* total, int points) {
    atomicAdd(total, (unsigned long long)hits_of(blockIdx.x * blockDim.x + threadIdx.x, points));
}

int main() {
    unsigned long long *d = nullptr, hits = 0, expected = 0;
    cudaMalloc(&d, sizeof hits);
    cudaMemset(d, 0, sizeof hits);
    throw_points<<<16, 64>>>(d, 100);
    cudaMemcpy(&hits, d, sizeof hits, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 16 * 64; ++t) expected += hits_of(t, 100);
    printf("%s, pi is about %.2f, state %" PRIu64 "\n", hits == expected ? "same" : "different",
           4.0 * double(hits) / (16 * 64 * 100), Generator(3).state);
    cudaFree(d);
}
