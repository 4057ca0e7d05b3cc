// SPDX-License-Identifier: MIT

// Exercise 3: data that crosses between host and device, and data that never does. exercise.hpp says what each does.

#include "exercise.hpp"

std::vector<float> scale(const std::vector<float>& x, float factor) {
    // ---- your code (about 3 lines) ----
    // TODO: Copy x to the device, multiply the array there, copy the product back. There are now two sets of numbers,
    //       one in x and one in the array: a change of one doesn't change the other.
    return {};
    // ---- end ----
}

gpu::Array<float> squares(int n) {
    // ---- your code (about 3 lines) ----
    // TODO: Make 0, 1, 2, ... on the device, by gpu::arange<float>(n), then square them. An array that is assigned an
    //       expression of its own size keeps its memory: a = a + 1 allocates nothing.
    return gpu::empty<float>({n});
    // ---- end ----
}

std::vector<float> windowed(const std::vector<float>& signals, const gpu::Array<float>& window) {
    // ---- your code (about 4 lines) ----
    // TODO: This loop is right, and for 1000 signals it makes 1000 copies up, 1000 copies down and 2000 arrays.
    //       Make one copy of each. to_device({rows, columns}, x) gives x the shape of a matrix on its way.
    const auto length = static_cast<std::size_t>(window.size());
    std::vector<float> products;
    for (std::size_t first = 0; first < signals.size(); first += length) {
        const gpu::Array<float> signal = gpu::to_device(std::span(signals).subspan(first, length));
        const std::vector<float> product = gpu::to_host(signal * window);
        products.insert(products.end(), product.begin(), product.end());
    }
    return products;
    // ---- end ----
}
