// SPDX-License-Identifier: MIT
// The same sums of a matrix that is stored by columns: neighbouring threads read neighbouring elements.
//
// array: float a[1024] = random 11
// array: float sums[32] = uninitialized
// launch: column_sums<<<1, 32>>>(a, sums)
// check: sums = sum_of_columns(a, 32) within 32 eps
// counts: global_sectors / global_requests = 4
// counts: global_segments / global_requests = 1

__global__ void column_sums(const float* a, float* sums) {
    float sum = 0.0f;
    for (int k = 0; k < 32; ++k) sum += a[32 * k + threadIdx.x];
    sums[threadIdx.x] = sum;
}
