// SPDX-License-Identifier: MIT

// Exercise 2: port eigen_version.cpp to the device. exercise.hpp says what each function does.

#include "exercise.hpp"

std::vector<float> combine(const std::vector<float>& a, const std::vector<float>& b) {
    // ---- your code (about 4 lines) ----
    // TODO: Three steps, as in every port:
    //   1. copy a and b to the device: gpu::to_device(a) gives a gpu::Array<float>;
    //   2. compute there. The names are Eigen's: +, gpu::sin. Assign to a gpu::Array<float>, not to auto;
    //   3. copy the result back: gpu::to_host(c).
    return {};
    // ---- end ----
}

float combined_norm(const std::vector<float>& a, const std::vector<float>& b) {
    // ---- your code (about 4 lines) ----
    // TODO: The same two steps to begin with. Then gpu::linalg::norm(c) gives an array with a single element, still on
    //       the device, and .item() fetches that element.
    return 0;
    // ---- end ----
}
