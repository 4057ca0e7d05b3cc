// SPDX-License-Identifier: MIT
// The game of life on a torus: two buffers that are swapped, and kernels in a loop of the host.
#include <cstdio>
#include <cstring>
#include <utility>

const int side = 24;

__device__ __forceinline__ int wrap(int i) { return (i + side) % side; }
__device__ bool alive(const char* cells, int x, int y) { return cells[wrap(y) * side + wrap(x)] != 0; }

__global__ void step(const char* now, char* next) {
    const int x = threadIdx.x, y = blockIdx.x;
    int neighbours = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0) neighbours += alive(now, x + dx, y + dy);
    next[y * side + x] = neighbours == 3 || (neighbours == 2 && alive(now, x, y));
}

int main() {
    char cells[side * side];
    memset(cells, 0, sizeof cells);
    const int glider[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (const auto& cell : glider) cells[cell[1] * side + cell[0]] = 1;
    char *now, *next;
    cudaMalloc((void**)&now, sizeof cells);
    cudaMalloc((void**)&next, sizeof cells);
    cudaMemcpy(now, cells, sizeof cells, cudaMemcpyHostToDevice);
    for (int k = 0; k < 20; ++k) {
        step<<<side, side>>>(now, next);
        std::swap(now, next);
    }
    cudaMemcpy(cells, now, sizeof cells, cudaMemcpyDeviceToHost);
    for (int y = 4; y < 10; ++y, putchar('\n'))
        for (int x = 4; x < 10; ++x) putchar(cells[y * side + x] ? '#' : '.');
    cudaFree(now);
    cudaFree(next);
}
