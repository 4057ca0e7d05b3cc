// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

/// Twice x.
int twice(int x);

/// Each element twice as large.
std::vector<float> doubled(const std::vector<float>& x);
