// SPDX-License-Identifier: MIT
// Four floats in one access of 16 bytes, and the rest one by one.
//
// array: float x[1023] = random 38
// array: float y[1023] = uninitialized
// launch: twice<<<2, 128>>>(x, y, 1023)
// check: y = axpy(x, x, 1)

__global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i + 3 < n) {
        float4 v = reinterpret_cast<const float4*>(x)[i];
        reinterpret_cast<float4*>(y)[i] = make_float4(2.0f * v.x, 2.0f * v.y, 2.0f * v.z, 2.0f * v.w);
    } else {
        for (int k = 4 * i; k < n; ++k) y[k] = 2.0f * x[k];
    }
}
