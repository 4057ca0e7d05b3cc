// SPDX-License-Identifier: MIT

// The capstone's kernels, one way to make them fast: each pixel is read about once, and written once as a strength and
// once as a result. Everything between lies in shared memory.

typedef unsigned char Byte;

constexpr int width = 64, height = 16, threads = 256;   // of a tile, and of a block
constexpr int halo = 3;                                  // 2 for the blur, 1 for Sobel

__device__ int inside(int k, int length) { return k < 0 ? 0 : k < length ? k : length - 1; }

__global__ void strengths(const Byte* image, Byte* strength, int* histogram, int rows, int columns) {
    __shared__ Byte pixels[height + 2 * halo][width + 2 * halo];
    __shared__ unsigned short across[height + 2 * halo][width + 2];
    __shared__ Byte blurred[height + 2][width + 2];
    __shared__ int counts[256];
    const int left = blockIdx.x * width, top = blockIdx.y * height, me = threadIdx.x;

    counts[me] = 0;
    for (int k = me; k < (height + 2 * halo) * (width + 2 * halo); k += threads) {
        const int y = k / (width + 2 * halo), x = k % (width + 2 * halo);
        pixels[y][x] = image[inside(top + y - halo, rows) * columns + inside(left + x - halo, columns)];
    }
    __syncthreads();
    // A neighbour outside is the nearest pixel inside; for Sobel that is the nearest blurred one.
    for (int k = me; k < (height + 2 * halo) * (width + 2); k += threads) {
        const int y = k / (width + 2), x = k % (width + 2);
        const int column = inside(left + x - 1, columns);
        int sum = 0;
        for (int j = -2; j <= 2; ++j) {
            const int weight = j == 0 ? 6 : j == 1 || j == -1 ? 4 : 1;
            sum += weight * pixels[y][inside(column + j, columns) - left + halo];
        }
        across[y][x] = sum;
    }
    __syncthreads();
    for (int k = me; k < (height + 2) * (width + 2); k += threads) {
        const int y = k / (width + 2), x = k % (width + 2);
        const int row = inside(top + y - 1, rows);
        int sum = 128;
        for (int i = -2; i <= 2; ++i) {
            const int weight = i == 0 ? 6 : i == 1 || i == -1 ? 4 : 1;
            sum += weight * across[inside(row + i, rows) - top + halo][x];
        }
        blurred[y][x] = sum / 256;
    }
    __syncthreads();
    for (int k = me; k < height * width; k += threads) {
        const int y = k / width + 1, x = k % width + 1, row = top + y - 1, column = left + x - 1;
        if (row >= rows || column >= columns) continue;
        const int gx = blurred[y - 1][x + 1] + 2 * blurred[y][x + 1] + blurred[y + 1][x + 1] - blurred[y - 1][x - 1] -
                       2 * blurred[y][x - 1] - blurred[y + 1][x - 1];
        const int gy = blurred[y + 1][x - 1] + 2 * blurred[y + 1][x] + blurred[y + 1][x + 1] - blurred[y - 1][x - 1] -
                       2 * blurred[y - 1][x] - blurred[y - 1][x + 1];
        const int value = min(255, (abs(gx) + abs(gy)) / 2);
        strength[row * columns + column] = value;
        atomicAdd(&counts[value], 1);
    }
    __syncthreads();
    if (counts[me] > 0) atomicAdd(&histogram[me], counts[me]);
}

// One block: thread k adds up the counts of the levels from k on.
__global__ void find_level(const int* histogram, int* level, int most) {
    __shared__ int sums[256];
    const int me = threadIdx.x;
    sums[me] = histogram[me];
    for (int step = 1; step < 256; step *= 2) {
        __syncthreads();
        const int other = me + step < 256 ? sums[me + step] : 0;
        __syncthreads();
        sums[me] += other;
    }
    __syncthreads();
    const bool strong = me >= 1 && sums[me] <= most, weak = me == 1 || sums[me - (me > 0)] > most;
    if (strong && weak) *level = me;
    if (me == 255 && sums[me] > most) *level = 256;
}

// Four pixels for each thread: a request of bytes alone fills one sector, of four bytes each four.
__global__ void threshold(const Byte* strength, Byte* edges, const int* level, int n) {
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x), from = *level;
    if (i + 4 <= n) {
        const uchar4 four = *reinterpret_cast<const uchar4*>(strength + i);
        const Byte a = four.x >= from ? 255 : 0, b = four.y >= from ? 255 : 0;
        const Byte c = four.z >= from ? 255 : 0, d = four.w >= from ? 255 : 0;
        *reinterpret_cast<uchar4*>(edges + i) = make_uchar4(a, b, c, d);
        return;
    }
    for (int k = i; k < n; ++k) edges[k] = strength[k] >= from ? 255 : 0;
}
