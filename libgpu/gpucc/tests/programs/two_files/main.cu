// SPDX-License-Identifier: MIT
// Two files with kernels of the same name, one header with a kernel for both, and a plain C++ file.
#include <cstdio>
#include "two_files.h"

__global__ void set(int* p) { *p = 1; }

int main() {
    int* d;
    cudaMalloc(&d, sizeof(int));
    const auto show = [&] {
        int h = 0;
        cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
        printf("%d\n", plus_hundred(h));
    };
    set<<<1, 1>>>(d);
    show();
    set_in_other_file(d);
    show();
    shared_kernel<int><<<1, 1>>>(d, 5);
    show();
    shared_kernel_elsewhere(d);
    show();
    return 0;
}
