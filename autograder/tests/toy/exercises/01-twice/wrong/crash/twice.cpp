// SPDX-License-Identifier: MIT
#include "exercise.hpp"

int twice(int x) {
    return 2 * x;
}

std::vector<float> doubled(const std::vector<float>& x) {
    std::vector<float> y = x;
    for (float& element : y) element *= 2;
    static_cast<volatile float*>(nullptr)[1] = 1;  // the planted mistake
    return y;
}
