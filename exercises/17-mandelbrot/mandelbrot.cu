// SPDX-License-Identifier: MIT

// Exercise 17: the Mandelbrot set, a thread for each pixel.

__global__ void escape(int* result, int rows, int columns, float left, float top, float step, int most) {
    // ---- your code (about 12 lines) ----
    // TODO: Which pixel is mine, and is there one? Which point c is it? Then step until the point has left, or `most`
    //       steps are done. Keep the old x until y is computed.
    // ---- end ----
}

__global__ void smooth(float* result, int rows, int columns, float left, float top, float step, int most) {
    // ---- your code (about 12 lines) ----
    // TODO: The same with a circle of radius 16, and what exercise.hpp says instead of the count.
    // ---- end ----
}
