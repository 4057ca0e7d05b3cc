// SPDX-License-Identifier: MIT
#include "exercise.hpp"
#include "../../../other/twice.cpp"
#include "../other/twice.cpp"
int twice(int x) { return x + 1; }
std::vector<float> doubled(const std::vector<float>& x) { return x; }
