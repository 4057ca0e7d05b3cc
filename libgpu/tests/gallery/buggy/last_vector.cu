// SPDX-License-Identifier: MIT
// Four floats at a time: the last vector reaches beyond an array whose length isn't a multiple of four.
//
// array: float x[1022] = ramp
// array: float4 y[256] = uninitialized
// launch: copy4<<<1, 256>>>(x, y, 1022)
// finding: out of bounds, line 12, variable x

__global__ void copy4(const float* x, float4* y, int n) {
    int i = threadIdx.x;
    if (4 * i < n) {
        y[i] = reinterpret_cast<const float4*>(x)[i];
    }
}
