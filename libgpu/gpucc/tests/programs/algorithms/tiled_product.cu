// SPDX-License-Identifier: MIT
// A tiled matrix product for any sizes: a template's tile, dim3 arithmetic, a macro that checks every call.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                  \
    do {                                                                                             \
        const cudaError_t error_ = (call);                                                           \
        if (error_ != cudaSuccess) {                                                                 \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
            exit(EXIT_FAILURE);                                                                      \
        }                                                                                            \
    } while (0)

template <int Tile>
__global__ void product(const int* a, const int* b, int* c, int rows, int inner, int columns) {
    __shared__ int tile_a[Tile][Tile], tile_b[Tile][Tile + 1];
    const int row = blockIdx.y * Tile + threadIdx.y, column = blockIdx.x * Tile + threadIdx.x;
    int sum = 0;
    for (int start = 0; start < inner; start += Tile) {
        const int along = start + threadIdx.x, down = start + threadIdx.y;
        tile_a[threadIdx.y][threadIdx.x] = row < rows && along < inner ? a[row * inner + along] : 0;
        tile_b[threadIdx.y][threadIdx.x] = down < inner && column < columns ? b[down * columns + column] : 0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < Tile; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
        __syncthreads();
    }
    if (row < rows && column < columns) c[row * columns + column] = sum;
}

template <int Tile>
long multiply(int rows, int inner, int columns) {
    std::vector<int> a(rows * inner), b(inner * columns), c(rows * columns);
    for (size_t k = 0; k < a.size(); ++k) a[k] = int(k * 7 % 11) - 5;
    for (size_t k = 0; k < b.size(); ++k) b[k] = int(k * 5 % 13) - 6;
    int *device_a, *device_b, *device_c;
    CHECK(cudaMalloc(&device_a, a.size() * sizeof(int)));
    CHECK(cudaMalloc(&device_b, b.size() * sizeof(int)));
    CHECK(cudaMalloc(&device_c, c.size() * sizeof(int)));
    CHECK(cudaMemcpy(device_a, a.data(), a.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_b, b.data(), b.size() * sizeof(int), cudaMemcpyHostToDevice));
    const dim3 block(Tile, Tile), grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    product<Tile><<<grid, block>>>(device_a, device_b, device_c, rows, inner, columns);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(c.data(), device_c, c.size() * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device_a));
    CHECK(cudaFree(device_b));
    CHECK(cudaFree(device_c));
    long wrong = 0, sum = 0;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            int expected = 0;
            for (int k = 0; k < inner; ++k) expected += a[row * inner + k] * b[k * columns + column];
            wrong += c[row * columns + column] != expected;
            sum += c[row * columns + column] * (row + 2L * column);
        }
    printf("%d x %d x %d, tiles of %d: %ld wrong, sum %ld\n", rows, inner, columns, Tile, wrong, sum);
    return wrong;
}

int main() { return multiply<16>(64, 48, 80) + multiply<16>(33, 17, 50) + multiply<8>(7, 9, 11) != 0; }
