// SPDX-License-Identifier: MIT
// Tables that the compiler computes: constexpr functions and arrays, static members, constants in device memory.
#include <cstdint>
#include <cstdio>
#include <cstring>

struct Table {
    uint32_t entries[256];
};
constexpr Table make_table() {
    Table table{};
    for (uint32_t n = 0; n < 256; ++n) {
        uint32_t c = n;
        for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table.entries[n] = c;
    }
    return table;
}
constexpr Table host_table = make_table();
static_assert(host_table.entries[1] == 0x77073096u, "as published");
__constant__ Table device_table = make_table();
__constant__ const int primes[] = {2, 3, 5, 7, 11, 13};
__device__ const char greeting[] = "hello";

struct Limits {
    static constexpr int lines = 5, width = 24;
    __host__ __device__ static constexpr int bytes() { return lines * width; }
    enum { padding = 3 };
};
template <int N>
struct Factorial {
    static const long value = N * Factorial<N - 1>::value;
};
template <>
struct Factorial<0> {
    static const long value = 1;
};

__host__ __device__ inline uint32_t checksum(const Table& table, const unsigned char* data, int n) {
    uint32_t c = ~0u;
    for (int i = 0; i < n; ++i) c = table.entries[(c ^ data[i]) & 255] ^ (c >> 8);
    return ~c;
}

__global__ void checksums(const unsigned char* lines, uint32_t* out) {
    const int i = threadIdx.x;
    if (i < Limits::lines) out[i] = checksum(device_table, lines + i * Limits::width, Limits::width);
}
__global__ void constants(long* out) {
    out[0] = Factorial<10>::value;
    out[1] = Limits::bytes() + Limits::padding;
    out[2] = 0;
    for (int p : primes) out[2] = out[2] * 100 + p;
    out[3] = 0;
    for (const char* c = greeting; *c; ++c) out[3] += *c;
}

int main() {
    char lines[Limits::lines][Limits::width] = {"123456789", "CUDA", "", "a line", "the last line"};
    unsigned char* device;
    uint32_t *sums, result[Limits::lines];
    long *numbers, values[4];
    cudaMalloc(&device, Limits::bytes());
    cudaMalloc(&sums, sizeof result);
    cudaMalloc(&numbers, sizeof values);
    cudaMemcpy(device, lines, Limits::bytes(), cudaMemcpyHostToDevice);
    checksums<<<1, 8>>>(device, sums);
    constants<<<1, 1>>>(numbers);
    cudaMemcpy(result, sums, sizeof result, cudaMemcpyDeviceToHost);
    cudaMemcpy(values, numbers, sizeof values, cudaMemcpyDeviceToHost);
    for (int i = 0; i < Limits::lines; ++i)
        printf("%08x %s\n", result[i],
               result[i] == checksum(host_table, (const unsigned char*)lines[i], Limits::width) ? "right" : "WRONG");
    printf("crc of 9 digits %08x; %ld %ld %ld %ld\n", checksum(host_table, (const unsigned char*)"123456789", 9),
           values[0], values[1], values[2], values[3]);
    cudaFree(device);
    cudaFree(sums);
    cudaFree(numbers);
    return 0;
}
