// SPDX-License-Identifier: MIT

// Exercise 3: data that crosses between host and device, and data that never does. exercise.hpp says what each does.

#include "exercise.hpp"

std::vector<float> scale(const std::vector<float>& x, float factor) {
    // ---- your code (about 3 lines) ----
    gpu::Array<float> product = gpu::to_device(x);
    product = product * factor;      // in place: each element is read before it is written
    return gpu::to_host(product);    // x itself is as it was: the device worked on a copy
    // ---- end ----
}

gpu::Array<float> squares(int n) {
    // ---- your code (about 3 lines) ----
    gpu::Array<float> k = gpu::arange<float>(n);  // filled by a kernel: no byte comes from the host
    k = k * k;                                    // the same memory again; a second array would be a second allocation
    return k;                                     // a move: the array stays where it is
    // ---- end ----
}

std::vector<float> windowed(const std::vector<float>& signals, const gpu::Array<float>& window) {
    // ---- your code (about 4 lines) ----
    const std::int64_t length = window.size(), count = std::ssize(signals) / length;
    gpu::Array<float> rows = gpu::to_device({count, length}, signals);
    for (std::int64_t k = 0; k < count; ++k) {
        const gpu::Array<float> product = rows(k) * window;  // a new array each time: it is freed at once
        rows(k) = product;
    }
    return gpu::to_host(rows);
    // ---- end ----
}
