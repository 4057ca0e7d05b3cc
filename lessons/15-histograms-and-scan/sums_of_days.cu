// SPDX-License-Identifier: MIT
// How much rain fell on each day of the week: sums in each block's own memory first, then those of all blocks.

// [sums_of_days]
__global__ void sums_of_days(const int* day, const int* rain, int* sums, int n) {
    __shared__ int own[7];
    // who am I
    const int t = threadIdx.x, first = blockIdx.x * blockDim.x + t;
    // load: the block's sums begin at zero
    if (t < 7) own[t] = 0;
    // wait
    __syncthreads();
    // is there work; load; compute
    for (int i = first; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[day[i]], rain[i]);
    // wait
    __syncthreads();
    // store: other blocks add to sums as well
    if (t < 7) atomicAdd(&sums[t], own[t]);
}
// [/sums_of_days]
