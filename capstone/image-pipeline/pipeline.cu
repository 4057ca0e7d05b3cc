// SPDX-License-Identifier: MIT

// The capstone's kernels, as they are given: right, and slow. Everything here may be changed.

typedef unsigned char Byte;

__device__ int inside(int k, int length) { return k < 0 ? 0 : k < length ? k : length - 1; }

__global__ void blur(const Byte* image, Byte* blurred, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const int weights[5] = {1, 4, 6, 4, 1};
    int sum = 0;
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j) {
            const int y = inside(row + i - 2, rows), x = inside(column + j - 2, columns);
            sum += weights[i] * weights[j] * image[y * columns + x];
        }
    blurred[row * columns + column] = static_cast<Byte>((sum + 128) / 256);
}

__global__ void sobel_x(const Byte* blurred, int* gx, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const int left = inside(column - 1, columns), right = inside(column + 1, columns);
    int sum = 0;
    for (int i = -1; i <= 1; ++i) {
        const int at = inside(row + i, rows) * columns;
        sum += (i == 0 ? 2 : 1) * (blurred[at + right] - blurred[at + left]);
    }
    gx[row * columns + column] = sum;
}

__global__ void sobel_y(const Byte* blurred, int* gy, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const int upper = inside(row - 1, rows) * columns, lower = inside(row + 1, rows) * columns;
    int sum = 0;
    for (int j = -1; j <= 1; ++j) {
        const int at = inside(column + j, columns);
        sum += (j == 0 ? 2 : 1) * (blurred[lower + at] - blurred[upper + at]);
    }
    gy[row * columns + column] = sum;
}

__global__ void combine(const int* gx, const int* gy, int* strength, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) strength[i] = min(255, (abs(gx[i]) + abs(gy[i])) / 2);
}

__global__ void count(const int* strength, int* histogram, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&histogram[strength[i]], 1);
}

__global__ void threshold(const int* strength, Byte* edges, int level, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) edges[i] = strength[i] >= level ? 255 : 0;
}
