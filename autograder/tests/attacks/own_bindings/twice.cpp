// SPDX-License-Identifier: MIT
#include "exercise.hpp"
// Calls of this list needn't be calls of the functions that are asked for, and nobody would count what they do.
extern "C" __attribute__((visibility("default"))) const void* course_bindings() { return nullptr; }
int twice(int x) { return 2 * x; }
std::vector<float> doubled(const std::vector<float>& x) {
    std::vector<float> y = x;
    for (float& element : y) element *= 2;
    return y;
}
