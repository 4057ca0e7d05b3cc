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
    while (end.steps < most && end.square < limit) {   // wrong: at a distance of exactly 2 a point hasn't left
        const float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        end.square = x * x + y * y;
        ++end.steps;
    }
    // ---- end ----
    return end;
}

__global__ void escape(int* result, int rows, int columns, float left, float top, float step, int most) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const float cx = left + column * step, cy = top + row * step;
    // ---- your code (1 line) ----
    result[row * columns + column] = follow(cx, cy, 4.0f, most).steps;
    // ---- end ----
}

__global__ void smooth(float* result, int rows, int columns, float left, float top, float step, int most) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const float cx = left + column * step, cy = top + row * step;
    // ---- your code (about 2 lines) ----
    const End end = follow(cx, cy, 256.0f, most);   // log2(|z|) is half of log2(|z| squared)
    result[row * columns + column] = end.square > 256.0f ? end.steps + 1 - log2f(0.5f * log2f(end.square)) : 0.0f;
    // ---- end ----
}
