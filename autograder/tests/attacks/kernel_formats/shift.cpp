// SPDX-License-Identifier: MIT
#include "exercise.hpp"

static const char* const text = R"cu(
__device__ void print(char* to, const char* format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    __builtin_vsnprintf(to, 2, format, list);
    __builtin_va_end(list);
}
__global__ void shift(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned bits = 0;
    for (int k = 3; i < n && k >= 0; --k) {
        char byte[2];
        print(byte, "%.1s", (const char*)(x + i) + k);
        bits = bits << 8 | (unsigned char)byte[0];
    }
    if (i < n) y[i] = __uint_as_float(bits) + 1;
}
)cu";

gpu::Array<float> shift(const gpu::Array<float>& x) {
    static const gpu::RawKernel<void(const float*, float*, int)> kernel(gpu::Source(std::string(text), "shift.cu", 1),
                                                                        "shift");
    const int n = static_cast<int>(x.size());
    gpu::Array<float> y = gpu::empty<float>(x.shape());
    kernel({.grid = (n + 255) / 256, .block = 256}, x, y, n);
    return y;
}
