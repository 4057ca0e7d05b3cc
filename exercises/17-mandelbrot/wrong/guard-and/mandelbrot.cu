// SPDX-License-Identifier: MIT

// Exercise 17: the Mandelbrot set, a thread for each pixel.

__global__ void escape(int* result, int rows, int columns, float left, float top, float step, int most) {
    // ---- your code (about 12 lines) ----
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows && column >= columns) return;   // wrong: outside on one axis is outside
    const float cx = left + column * step, cy = top + row * step;
    float x = 0.0f, y = 0.0f;
    int n = 0;
    while (n < most) {
        const float next = x * x - y * y + cx;   // x is still needed for y
        y = 2.0f * x * y + cy;
        x = next;
        ++n;
        if (x * x + y * y > 4.0f) break;
    }
    result[row * columns + column] = n;
    // ---- end ----
}

__global__ void smooth(float* result, int rows, int columns, float left, float top, float step, int most) {
    // ---- your code (about 12 lines) ----
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const float cx = left + column * step, cy = top + row * step;
    float x = 0.0f, y = 0.0f, value = 0.0f;
    for (int n = 1; n <= most; ++n) {
        const float next = x * x - y * y + cx;   // x is still needed for y
        y = 2.0f * x * y + cy;
        x = next;
        if (x * x + y * y > 256.0f) {
            value = n + 1 - log2f(0.5f * log2f(x * x + y * y));   // log2(|z|) is half of log2(|z|^2)
            break;
        }
    }
    result[row * columns + column] = value;
    // ---- end ----
}
