// SPDX-License-Identifier: MIT

extern "C" __global__ void take(const E* x, const I* index, E* out, const Walk walk, Fault* fault) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= walk.size) return;
    const Place place = place_of(i, walk);
    const long long at = resolved(index[place.index], place.index, walk, fault);
    if (at >= 0) out[i] = x[place.array + along_axis(at, walk)];
    else out[i] = E();
}
