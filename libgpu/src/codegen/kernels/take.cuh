// SPDX-License-Identifier: MIT
// A thread's elements are all on their way before the first is written.

extern "C" __global__ void take(const E* x, const I* index, E* out, const Walk walk, Fault* fault) {
    const long long first = (long long)blockIdx.x * each * blockDim.x + threadIdx.x;
    E taken[each];
#pragma unroll
    for (int k = 0; k < each; ++k) {
        const long long i = first + k * (int)blockDim.x;
        if (i >= walk.size) continue;
        const Place place = place_of(i, walk);
        const long long at = resolved(index[place.index], place.index, walk, fault);
        if (at >= 0) taken[k] = x[place.array + along_axis(at, walk)];
        else taken[k] = E();
    }
#pragma unroll
    for (int k = 0; k < each; ++k) {
        const long long i = first + k * (int)blockDim.x;
        if (i < walk.size) out[i] = taken[k];
    }
}
