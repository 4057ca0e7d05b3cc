// SPDX-License-Identifier: MIT
// A double in a buffer of bytes, behind a header of 4 bytes.
//
// array: float records[66] = zeros
// array: double y[16] = uninitialized
// launch: unpack<<<1, 16>>>(records, y)
// finding: misaligned access, line 11, variable records

__global__ void unpack(const float* records, double* y) {
    const double* values = reinterpret_cast<const double*>(records + 1);
    y[threadIdx.x] = values[threadIdx.x];
}
