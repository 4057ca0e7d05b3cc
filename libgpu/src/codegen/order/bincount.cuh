// SPDX-License-Identifier: MIT
// Counts elements that are less than `bins`. The largest element is kept as an unsigned number: a negative one is larger
// than any other.

extern "C" __global__ void bincount(const X* x, const double* weights, R* counts, unsigned long long* largest,
                                    long long n, long long bins, int copies) {
    U most = 0;
    count_elements(x, counts, n, bins, copies, [&](X element, long long i, Tally& tally) {
        const U value = (U)element;
        if (value > most) most = value;
        if ((unsigned long long)value < (unsigned long long)bins) tally.count((Bin)value, amount(weights, i));
    });
    if (largest != nullptr) keep_largest((unsigned long long)(X)most, largest);
}
