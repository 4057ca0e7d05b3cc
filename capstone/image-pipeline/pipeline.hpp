// SPDX-License-Identifier: MIT
#pragma once

// The function of the capstone. Leave this file as it is: your code goes into pipeline.cpp and pipeline.cu.

#include <cstdint>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

/// The edges of a grey image, and the histogram of their strengths. All arithmetic is on integers, so each way of
/// computing it gives the same numbers:
///
/// 1. **Blur**: `(sum of w[i] * w[j] * pixel(row + i - 2, column + j - 2) + 128) / 256` with `w = {1, 4, 6, 4, 1}`.
/// 2. **Sobel** on the blurred image: `strength = min(255, (|gx| + |gy|) / 2)`, where gx is the sum of the right-hand
///    column of the 3 x 3 neighbours, taken 1, 2 and 1 times, less that of the left-hand one, and gy the same of the
///    lower row and the upper one.
/// 3. **Histogram** of the strengths: 256 counts.
/// 4. **Threshold**: the level is the smallest from 1 on at which no more than a tenth of the pixels (rounded down)
///    have a strength of the level or above. The result is 255 where the strength is the level or above, else 0.
///
/// In 1 and 2 a neighbour outside of the image is the nearest pixel inside. The image has 1 pixel or more.
std::pair<gpu::Array<std::uint8_t>, gpu::Array<int>> find_edges(const gpu::Array<std::uint8_t>& image);
