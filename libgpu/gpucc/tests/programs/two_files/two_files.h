// SPDX-License-Identifier: MIT
#pragma once

template <class T>
__global__ void shared_kernel(T* p, T by) {
    *p += by;
}

void set_in_other_file(int* d);
void shared_kernel_elsewhere(int* d);
int plus_hundred(int x);
