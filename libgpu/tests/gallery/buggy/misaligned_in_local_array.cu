// SPDX-License-Identifier: MIT
// A number is put together in an array of bytes, and read from an odd place of it.
//
// array: int y[32] = uninitialized
// launch: unpack<<<1, 32>>>(y)
// finding: misaligned access, line 13, variable -

__global__ void unpack(int* y) {
    __align__(4) unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int t = threadIdx.x;
    unsigned char* place = bytes + 1 + 4 * (t / 32);
    place[0] = t;
    y[t] = *reinterpret_cast<const int*>(place);
}
