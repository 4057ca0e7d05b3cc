// SPDX-License-Identifier: MIT
#include "exercise.hpp"

int twice(int x) { return x + 1; }
std::vector<float> doubled(const std::vector<float>& x) { return x; }
