// SPDX-License-Identifier: MIT

// Exercise 17: the Mandelbrot set, a thread for each pixel.

struct End {
    int steps;      // after how many steps the point has left the circle; `most` if it hasn't by then
    float square;   // |z| squared, x * x + y * y, after the last step
};

// Follows the point (cx, cy) until |z| squared is larger than `limit`, for `most` steps at the most.
__device__ End follow(float cx, float cy, float limit, int most) {
    float x = 0.0f, y = 0.0f;
    End end = {0, 0.0f};
    // ---- your code (about 7 lines) ----
    // TODO: The loop. A step is z = z * z + c; keep the old x until y is computed. Count it in end.steps, and put |z|
    //       squared into end.square. Go on while the point hasn't left and there are steps left.
    // ---- end ----
    return end;
}

__global__ void escape(int* result, int rows, int columns, float left, float top, float step, int most) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const float cx = left + column * step, cy = top + row * step;
    // ---- your code (1 line) ----
    // TODO: Part a. The number of steps into this pixel of `result`; it is row-major, and the circle's radius is 2.
    // ---- end ----
}

__global__ void smooth(float* result, int rows, int columns, float left, float top, float step, int most) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const float cx = left + column * step, cy = top + row * step;
    // ---- your code (about 2 lines) ----
    // TODO: Part c. The same with a circle of radius 16, and what exercise.hpp says in place of the count.
    // ---- end ----
}
