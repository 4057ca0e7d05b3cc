// SPDX-License-Identifier: MIT
#include "exercise.hpp"

int twice(int x) {
    return x;  // TODO: twice as much
}

std::vector<float> doubled(const std::vector<float>& x) {
    return x;  // TODO: each twice as large
}
