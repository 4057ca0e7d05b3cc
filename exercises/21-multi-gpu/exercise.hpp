// SPDX-License-Identifier: MIT
#pragma once

// The functions to write in exercise 21. Leave this file as it is: your code goes into multi_gpu.cpp. A device's
// piece has at most 1,000,000,000 elements.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

/// The d-th of nearly equal pieces of n elements, one for each device: where it begins, and how many it has.
struct Range {
    std::size_t first, size;
};
inline Range range_of(std::size_t n, int devices, int d) {
    const auto begin = [&](int i) { return n * static_cast<std::size_t>(i) / static_cast<std::size_t>(devices); };
    return {begin(d), begin(d + 1) - begin(d)};
}

/// The sum of x² on the devices 0 to devices - 1, in double. There are two devices or more, and an element at least
/// for each.
///
/// Part a. Each device gets its piece of x and sums it up; the host adds the sums, 8 bytes from each. It fetches the
/// first one when all devices have been given their work. The current device is afterwards what it was before.
double sum_of_squares(const std::vector<float>& x, int devices);

/// A device's piece of u: elements 1 to size are its own, 0 and size + 1 the halo, a copy of its neighbours' outermost
/// elements. Where there is no neighbour, the halo is 0. A step reads u and writes next; then the two change places.
struct Piece {
    gpu::Array<float> u, next;
    int size;
};

/// Part b. The pieces of all devices, from left to right: brings the neighbours' outermost elements into the halos. One
/// float goes each way between two neighbours, from device to device, and nothing goes over the host.
void exchange(std::vector<Piece>& pieces);

/// One step on every device: the kernel `step`, which makes of each element the mean of itself, twice, and of its two
/// neighbours.
void advance(std::vector<Piece>& pieces);
