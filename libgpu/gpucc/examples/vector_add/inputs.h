// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

/// n numbers, the same for the same seed.
std::vector<float> drawn(int n, unsigned seed);
