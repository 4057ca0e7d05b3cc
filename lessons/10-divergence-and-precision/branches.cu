// SPDX-License-Identifier: MIT
// One branch, with three conditions: both sides read memory, so that check mode sees who takes which.

// [branch]
__global__ void branch(const float* x, const float* y, const float* data, float* z, int n) {
    // who am I
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // is there work
    if (i >= n) return;
    // load
    float value;
    if (CONDITION)
        value = x[i];  // one side
    else
        value = y[i];  // the other
    // store
    z[i] = value;
}
// [/branch]
