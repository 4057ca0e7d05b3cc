// SPDX-License-Identifier: MIT
#include "exercise.hpp"

gpu::Array<float> shift(const gpu::Array<float>& x) {
    return x + 1.f;
}
