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
    int n = 0;
    float square = 0.0f;
    for (; n < most; ++n) {
        if (square > limit) break;
        const float t = x * x - y * y + cx;
        y = 2 * x * y + cy;   // 2 is an int, and becomes a float
        x = t;
        square = x * x + y * y;
    }
    end = {n, square};
    // ---- end ----
    return end;
}

__global__ void escape(int* result, int rows, int columns, float left, float top, float step, int most) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const float cx = left + column * step, cy = top + row * step;
    // ---- your code (1 line) ----
    const int steps = follow(cx, cy, 4.0f, most).steps, pixel = row * columns + column;
    if (steps == most)
        result[pixel] = most;
    else
        result[pixel] = steps;
    // ---- end ----
}

__global__ void smooth(float* result, int rows, int columns, float left, float top, float step, int most) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const float cx = left + column * step, cy = top + row * step;
    // ---- your code (about 2 lines) ----
    const End end = follow(cx, cy, 256.0f, most);
    if (!(end.square > 256.0f)) {
        result[row * columns + column] = 0.0f;
        return;
    }
    result[row * columns + column] = end.steps + 1 - __log2f(0.5f * __log2f(end.square));
    // ---- end ----
}
