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
    struct Complex {
        float re, im;
        __device__ Complex operator*(Complex o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
        __device__ Complex operator+(Complex o) const { return {re + o.re, im + o.im}; }
        __device__ float norm() const { return re * re + im * im; }
    };
    Complex z = {x, y}, c = {cx, cy};
    while (end.steps < most && z.norm() <= limit) {
        z = z * z + c;
        end.steps += 1;
    }
    end.square = z.norm();
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
    const End end = follow(cx, cy, 256.0f, most);
    float* pixel = &result[row * columns + column];
    if (end.square <= 256.0f)
        *pixel = 0.0f;   // it never left
    else
        *pixel = end.steps + 1 - logf(logf(sqrtf(end.square)) / logf(2.0f)) / logf(2.0f);
    // ---- end ----
}
