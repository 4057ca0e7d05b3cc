// SPDX-License-Identifier: MIT
// A float4 begins at a multiple of 16 bytes; this one begins at the second float.
//
// array: float x[132] = ramp
// array: float4 y[32] = uninitialized
// launch: shifted_copy<<<1, 32>>>(x, y)
// finding: misaligned access, line 11, variable x

__global__ void shifted_copy(const float* x, float4* y) {
    const float4* shifted = reinterpret_cast<const float4*>(x + 1);
    y[threadIdx.x] = shifted[threadIdx.x];
}
