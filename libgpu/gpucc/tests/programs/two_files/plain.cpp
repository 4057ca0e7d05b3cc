// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>
#include "hundred.h"

int plus_hundred(int x) {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0 ? x + hundred : -1;
}
