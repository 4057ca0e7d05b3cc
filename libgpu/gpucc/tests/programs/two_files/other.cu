// SPDX-License-Identifier: MIT
// The second file of main.cu.
#include "two_files.h"

static __global__ void set(int* p) { *p = 2; }

void set_in_other_file(int* d) { set<<<1, 1>>>(d); }
void shared_kernel_elsewhere(int* d) { shared_kernel<int><<<1, 1>>>(d, 70); }
