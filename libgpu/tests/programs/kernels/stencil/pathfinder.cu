// SPDX-License-Identifier: MIT
// Cheapest path from top to bottom, row by row. A block computes several rows of its columns in shared memory; of the
// columns at its sides, which other blocks compute too, one is lost on each side with each row.

constexpr int block_size = 64;
constexpr int rows_per_launch = 5;
constexpr int kept = block_size - 2 * rows_per_launch;

__global__ void advance(const int* costs, const int* from, int* to, int columns, int first_row, int rows) {
    __shared__ int best[2][block_size];
    int t = threadIdx.x, x = blockIdx.x * kept + t - rows_per_launch, now = 0;
    bool inside = x >= 0 && x < columns;
    if (inside) best[0][t] = from[x];
    for (int row = 0; row < rows; ++row) {
        __syncthreads();
        if (inside && t > row && t < block_size - 1 - row) {
            int cheapest = best[now][t];
            if (x > 0) cheapest = min(cheapest, best[now][t - 1]);
            if (x < columns - 1) cheapest = min(cheapest, best[now][t + 1]);
            best[1 - now][t] = cheapest + costs[(first_row + row) * columns + x];
        }
        now = 1 - now;
    }
    if (inside && t >= rows_per_launch && t < block_size - rows_per_launch) to[x] = best[now][t];
}
