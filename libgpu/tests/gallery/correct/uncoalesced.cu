// SPDX-License-Identifier: MIT
// Neighbouring threads read elements of different rows: right, but each warp touches 32 sectors for one request.
//
// array: float a[1024] = random 11
// array: float sums[32] = uninitialized
// launch: row_sums<<<1, 32>>>(a, sums)
// check: sums = sum_of_rows(a, 32) within 32 eps
// counts: global_requests = 33
// counts: global_sectors = 1028
// counts: global_segments = 1025

__global__ void row_sums(const float* a, float* sums) {
    float sum = 0.0f;
    for (int k = 0; k < 32; ++k) sum += a[32 * threadIdx.x + k];
    sums[threadIdx.x] = sum;
}
