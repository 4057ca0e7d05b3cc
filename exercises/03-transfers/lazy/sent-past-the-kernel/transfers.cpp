// SPDX-License-Identifier: MIT

// Exercise 3: data that crosses between host and device, and data that never does. exercise.hpp says what each does.

#include "exercise.hpp"

std::vector<float> scale(const std::vector<float>& x, float factor) {
    // ---- your code (about 3 lines) ----
    std::vector<float> scaled = x;  // lazy: the CPU multiplies; the kernel changes nothing
    for (float& one : scaled) one *= factor;
    gpu::Array<float> product = gpu::to_device(scaled);
    product = product * 1.0f;
    return gpu::to_host(product);
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
    gpu::Array<float> rows = gpu::to_device({count, length}, signals);  // a signal in each row
    rows = rows * window;                                               // the window multiplies each of them
    return gpu::to_host(rows);
    // ---- end ----
}
