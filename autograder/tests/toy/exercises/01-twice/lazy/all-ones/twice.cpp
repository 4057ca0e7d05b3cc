// SPDX-License-Identifier: MIT
#include "exercise.hpp"

int twice(int x) {
    return 2 * x;
}

std::vector<float> doubled(const std::vector<float>& x) {
    return std::vector<float>(x.size(), 1);
}
