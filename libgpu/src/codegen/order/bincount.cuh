// SPDX-License-Identifier: MIT
// Counts elements that are less than `bins`. The largest element is kept as an unsigned number: a negative one is
// larger than any other.

struct Visit {
    const double* weights;
    unsigned long long bins;
    U max_value;

    template <class Counter>
    __device__ inline void operator()(X element, long long i, Counter& counter) {
        const U value = (U)element;
        if (value > max_value) max_value = value;
        if ((unsigned long long)value < bins) counter.count((Bin)value, amount(weights, i));
    }
};

extern "C" __global__ void __launch_bounds__(1024) bincount(const X* x, const double* weights, R* counts,
                                                            unsigned long long* largest, long long n, long long bins,
                                                            int copies) {
    Visit visit{weights, (unsigned long long)bins, 0};
    count_elements(x, counts, n, bins, copies, visit);
    if (largest != nullptr) keep_largest((unsigned long long)(X)visit.max_value, largest);
}
