// SPDX-License-Identifier: MIT
#pragma once

// The functions of exercise 17. Leave this file as it is: your kernels go into mandelbrot.cu, your launches into
// mandelbrot.cpp. An image has 1 to 100,000 rows, as many columns, and at most 1,000,000,000 pixels.

#include <utility>

#include <gpu/gpu.hpp>

/// Of each pixel, after how many steps its point leaves the circle of radius 2; `most` if it doesn't by then.
///
/// The pixel in `row` and `column` stands for the point c = (left + column * step, top + row * step). It begins at
/// z = (0, 0). A step is z = z * z + c, as complex numbers: (x, y) becomes (x * x - y * y + cx, 2 * x * y + cy). After
/// each step the point has left if x * x + y * y > 4: the count is then 1, 2, 3, ... Compute in float.
///
/// Part a: the loop in `follow`, and the kernel `escape`, with a thread for each pixel. It reads nothing, and writes
/// each pixel once.
gpu::Array<int> escape(int rows, int columns, float left, float top, float step, int most);

/// The block that both kernels are launched with: its columns (x) and rows (y), 256 threads in all.
///
/// Part b: 32 consecutive threads of a block are a warp, x counting first, and a warp is busy until its last pixel is
/// done. Choose the shape so that at most a quarter of the lanes' steps are wasted on the whole set, and a warp still
/// writes whole sectors of 32 bytes.
std::pair<int, int> block_shape();

/// The same with smooth edges: n + 1 - log2(log2(|z|)), where z is the point after its n-th step, the first one with
/// |z| > 16; 0 if it doesn't leave within `most` steps.
///
/// Part c: the kernel `smooth`. Functions of float end in f: log2f, sqrtf; so do literals.
gpu::Array<float> smooth(int rows, int columns, float left, float top, float step, int most);
