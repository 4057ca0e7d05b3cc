// SPDX-License-Identifier: MIT
#pragma once

/// z = x + y, for n numbers in the device's memory. add.cu has the kernel and its launch.
void add(const float* x, const float* y, float* z, int n);
