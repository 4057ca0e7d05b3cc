// SPDX-License-Identifier: MIT
#include "inputs.h"

#include <random>

std::vector<float> drawn(int n, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> numbers(-1, 1);
    std::vector<float> made(n);
    for (float& one : made) one = numbers(generator);
    return made;
}
