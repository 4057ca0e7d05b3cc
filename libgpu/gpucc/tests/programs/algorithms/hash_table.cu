// SPDX-License-Identifier: MIT
// A hash table in device memory: atomicCAS takes a slot, 64-bit words, a namespace with nested structures.
#include <cstdint>
#include <cstdio>
#include <vector>

namespace table {

constexpr uint64_t empty = ~uint64_t{0};

struct Slot {
    unsigned long long key;
    unsigned count;
};

struct Table {
    Slot* slots;
    uint32_t capacity;

    __host__ __device__ static uint32_t hash(uint64_t key) {
        key ^= key >> 33;
        key *= 0xff51afd7ed558ccdull;
        key ^= key >> 33;
        return uint32_t(key);
    }
    __device__ void add(uint64_t key) {
        for (uint32_t at = hash(key) & (capacity - 1);; at = (at + 1) & (capacity - 1)) {
            const auto before = atomicCAS(&slots[at].key, (unsigned long long)empty, (unsigned long long)key);
            if (before == empty || before == key) {
                atomicAdd(&slots[at].count, 1u);
                return;
            }
        }
    }
    __device__ unsigned count(uint64_t key) const {
        for (uint32_t at = hash(key) & (capacity - 1); slots[at].key != empty; at = (at + 1) & (capacity - 1))
            if (slots[at].key == key) return slots[at].count;
        return 0;
    }
};

namespace kernels {
__global__ void clear(Table t) {
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < t.capacity; i += gridDim.x * blockDim.x)
        t.slots[i] = Slot{empty, 0};
}
__global__ void insert(Table t, const uint64_t* keys, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) t.add(keys[i]);
}
__global__ void look_up(Table t, uint64_t step, unsigned* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) counts[i] = t.count(i * step);
}
}  // namespace kernels
}  // namespace table

int main() {
    using namespace table;
    const int n = 3000, asked = 400;
    const uint64_t step = 0x100000001ull;
    std::vector<uint64_t> keys(n);
    std::vector<unsigned> expected(asked, 0), counts(asked);
    for (int i = 0; i < n; ++i) {
        keys[i] = uint64_t(i * 17 % 333) * step;
        ++expected[i * 17 % 333];
    }
    Table t{nullptr, 1024};
    uint64_t* device_keys;
    unsigned* device_counts;
    cudaMalloc(&t.slots, t.capacity * sizeof(Slot));
    cudaMalloc(&device_keys, n * sizeof(uint64_t));
    cudaMalloc(&device_counts, asked * sizeof(unsigned));
    cudaMemcpy(device_keys, keys.data(), n * sizeof(uint64_t), cudaMemcpyHostToDevice);
    kernels::clear<<<4, 64>>>(t);
    table::kernels::insert<<<(n + 127) / 128, 128>>>(t, device_keys, n);
    ::table::kernels::look_up<<<(asked + 127) / 128, 128>>>(t, step, device_counts, asked);
    cudaMemcpy(counts.data(), device_counts, asked * sizeof(unsigned), cudaMemcpyDeviceToHost);
    printf("%s: %u of key 0, %u of key 5, %u of key 350\n", counts == expected ? "right" : "WRONG", counts[0],
           counts[5], counts[350]);
    cudaFree(t.slots);
    cudaFree(device_keys);
    cudaFree(device_counts);
    return counts != expected;
}
