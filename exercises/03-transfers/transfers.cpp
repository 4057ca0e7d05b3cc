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
    // TODO: Make 0, 1, 2, ... on the device (gpu::arange), then square them. An array that is assigned an expression of
    //       its own size keeps its memory: a = a + 1 allocates nothing.
    return gpu::empty<float>({n});
    // ---- end ----
}
