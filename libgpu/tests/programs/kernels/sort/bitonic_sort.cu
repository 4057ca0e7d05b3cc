// SPDX-License-Identifier: MIT
// Bitonic sort in shared memory, one block; what is missing to a power of two is filled with the largest number.

constexpr int elements = 256;

__global__ void sort(int* x, int n) {
    __shared__ int part[elements];
    int t = threadIdx.x;
    part[t] = t < n ? x[t] : 0x7fffffff;
    for (int size = 2; size <= elements; size *= 2) {
        for (int distance = size / 2; distance > 0; distance /= 2) {
            __syncthreads();
            int partner = t ^ distance;
            bool ascending = (t & size) == 0;
            if (partner > t && (part[t] > part[partner]) == ascending) {
                int larger = part[t];
                part[t] = part[partner];
                part[partner] = larger;
            }
        }
    }
    __syncthreads();
    if (t < n) x[t] = part[t];
}
