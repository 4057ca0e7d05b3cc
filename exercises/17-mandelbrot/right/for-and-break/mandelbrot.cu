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
    for (int i = 1; i <= most; ++i) {
        const float old_x = x;
        x = x * x - y * y + cx;
        y = 2.f * old_x * y + cy;
        end.steps = i;
        end.square = x * x + y * y;
        if (end.square > limit) break;
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
    const End end = follow(cx, cy, 4.f, most);
    result[column + columns * row] = end.steps;
    // ---- end ----
}

__global__ void smooth(float* result, int rows, int columns, float left, float top, float step, int most) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const float cx = left + column * step, cy = top + row * step;
    // ---- your code (about 2 lines) ----
    const End end = follow(cx, cy, 16.f * 16.f, most);
    float value = 0.f;
    if (end.square > 256.f) {
        const float distance = sqrtf(end.square);
        value = end.steps + 1.f - log2f(log2f(distance));
    }
    result[row * columns + column] = value;
    // ---- end ----
}
