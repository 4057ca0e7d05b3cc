// SPDX-License-Identifier: MIT
// Determinants of row-major n x n matrices, or (without `det`) their signs and the logarithms of their magnitudes: 0
// and minus infinity for singular ones, NaN for matrices with a NaN or an infinity.

__global__ void __launch_bounds__(128) small_det(const Number* a, Number* det, Number* sign, Real* logarithm, int n,
                                                 long long count) {
    const Place place = place_of(n, count, 1);
    Factors f;
    factor(a, n, place, f);
    Number made = one(f.odd ? -1 : 1);
    Real sum = 0;
#pragma unroll
    for (int k = 0; k < team; ++k) {
        if (k >= n) break;
        const Number pivot = at_lane(f.pivot, place.base + f.pivots[k]);
        if (det != nullptr) {
            made = product(made, pivot);
        } else {
            const Real length = magnitude(pivot);
            made = product(made, phase(pivot, length));
            sum += log(length);
        }
    }
    if (f.failed != 0) made = one(0);
    if (!f.finite) made = not_a_number();
    if (place.lane != 0 || !place.exists) return;
    if (det != nullptr) {
        det[place.item] = made;
        return;
    }
    sign[place.item] = made;
    logarithm[place.item] = f.finite ? sum : real_part(not_a_number());
}
