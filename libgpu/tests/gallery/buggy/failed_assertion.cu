// SPDX-License-Identifier: MIT
// What the kernel takes for granted doesn't hold: an index is negative.
//
// array: int index[64] = modulo 5
// array: float y[5] = zeros
// launch: scatter<<<1, 64>>>(index, y, 4)
// finding: failed assertion, line 11, variable -

__global__ void scatter(const int* index, float* y, int bins) {
    int k = index[threadIdx.x];
    assert(k < bins);
    atomicAdd(&y[k], 1.0f);
}
