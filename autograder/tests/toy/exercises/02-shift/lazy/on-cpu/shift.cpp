// SPDX-License-Identifier: MIT
#include "exercise.hpp"

gpu::Array<float> shift(const gpu::Array<float>& x) {
    std::vector<float> y = gpu::to_host(x);
    for (float& element : y) element += 1;
    return gpu::to_device(y);
}
