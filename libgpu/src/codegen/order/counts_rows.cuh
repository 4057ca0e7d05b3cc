// SPDX-License-Identifier: MIT
// Each thread counts a stretch of the elements in a row of its own, so that none waits for another.

struct Tally {
    R* row;
    __device__ inline void count(Bin bin, C amount) { row[bin] += amount; }
};

template <class Visit>
__device__ inline void count_elements(const X* x, R* counts, long long n, long long bins, int copies, Visit& visit) {
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long threads = (long long)gridDim.x * blockDim.x, length = (n + threads - 1) / threads;
    const long long end = (thread + 1) * length < n ? (thread + 1) * length : n;
    Tally tally{counts + thread * bins};
    for (long long i = thread * length; i < end; ++i) visit(x[i], i, tally);
}

__device__ inline void keep_largest(unsigned long long value, unsigned long long* largest) {
    atomicMax(largest, value);
}
