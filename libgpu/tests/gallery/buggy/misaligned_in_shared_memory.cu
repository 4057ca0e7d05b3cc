// SPDX-License-Identifier: MIT
// Bytes are staged in shared memory, and four of them are read as a number from an odd place.
//
// array: int y[32] = uninitialized
// launch: unpack<<<1, 32>>>(y)
// finding: misaligned access, line 14, variable bytes

__global__ void unpack(int* y) {
    __shared__ __align__(4) unsigned char bytes[132];
    int t = threadIdx.x;
    for (int k = 0; k < 4; ++k) bytes[4 * t + k] = k;
    if (t < 4) bytes[128 + t] = 0;
    __syncthreads();
    y[t] = *reinterpret_cast<const int*>(bytes + 4 * t + 1);
}
