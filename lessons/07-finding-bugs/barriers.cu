// SPDX-License-Identifier: MIT
// Differences of neighbours again, with a barrier at any of four places: -DPLACES=2: place 2, -DPLACES=24: 2 and 4.
#define BARRIER(place) \
    if (PLACES % 10 == place || PLACES / 10 % 10 == place || PLACES / 100 % 10 == place) __syncthreads()

// [kernel]
__global__ void differences(const float* x, float* y, int n) {
    __shared__ float part[256];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    BARRIER(1);      // before all
    if (i < n) {
        part[t] = x[i];
        BARRIER(2);  // inside the if
    }
    BARRIER(3);      // after it
    if (i < n) y[i] = part[t] - (t > 0 ? part[t - 1] : i > 0 ? x[i - 1] : 0);
    BARRIER(4);      // at the end
}
// [/kernel]
