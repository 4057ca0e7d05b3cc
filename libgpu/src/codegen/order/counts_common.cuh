// SPDX-License-Identifier: MIT
// Counts more bins than shared memory holds. What a thread counts one after another in the same bin is one addition.

struct Tally {
    R* counts;
    Bin bin;
    R run;

    __device__ inline void add() {
        if (run != 0) atomicAdd(counts + bin, run);
    }
    __device__ inline void count(Bin next, C amount) {
        if (next != bin) {
            add();
            bin = next;
            run = 0;
        }
        run += amount;
    }
};

template <class Visit>
__device__ inline void count_elements(const X* x, R* counts, long long n, long long bins, int copies, Visit visit) {
    Tally tally{counts, 0, 0};
    each_element(x, n, [&](X element, long long i) { visit(element, i, tally); });
    tally.add();
}

__device__ inline void keep_largest(unsigned long long value, unsigned long long* largest) {
    atomicMax(largest, value);
}
