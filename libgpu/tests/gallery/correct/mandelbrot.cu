// SPDX-License-Identifier: MIT
// Threads of a warp leave the loop after different numbers of rounds. In fixed point, so that all machines agree.
//
// array: int steps[1536] = uninitialized
// launch: mandelbrot<<<dim3(3, 4), dim3(16, 8)>>>(steps, 48, 32)
// check: steps = mandelbrot(48, 32, 60)

__global__ void mandelbrot(int* steps, int width, int height) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height) return;
    long long one = 1ll << 24;
    long long cx = 3 * one * column / width - 2 * one, cy = 2 * one * row / height - one;
    long long x = 0, y = 0;
    int count = 0;
    while (count < 60 && (x * x >> 24) + (y * y >> 24) <= 4 * one) {
        long long next = (x * x >> 24) - (y * y >> 24) + cx;
        y = (2 * x * y >> 24) + cy;
        x = next;
        ++count;
    }
    steps[row * width + column] = count;
}
