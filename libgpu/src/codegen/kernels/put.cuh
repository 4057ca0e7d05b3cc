// SPDX-License-Identifier: MIT
// `store` says what is done with an element.

extern "C" __global__ void put(E* x, const I* index, const E* values, const Walk walk, Fault* fault,
                               const long long* count) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (count != nullptr && *count != walk.expected) {
        if (i == 0 && claims(fault)) tell(fault, 3, walk.expected, 0, *count, 0);
        return;
    }
    if (i >= walk.size) return;
    const Place place = place_of(i, walk);
    const long long at = resolved(index[place.index], place.index, walk, fault);
    if (at >= 0) store(x + place.array + along_axis(at, walk), values[place.values]);
}
