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
    const std::vector<float> one = gpu::to_host(window);  // lazy: the CPU multiplies
    std::vector<float> products = signals;
    for (std::size_t i = 0; i < products.size(); ++i) products[i] *= one[i % one.size()];
    return products;
    // ---- end ----
}
