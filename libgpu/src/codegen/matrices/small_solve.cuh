// SPDX-License-Identifier: MIT
// x with a x = b for row-major n x n matrices and n x columns right-hand sides; without b, the inverses. A matrix with
// a NaN or an infinity has NaN as its result; `failed` is the smallest 64 * item + step of a pivot 0.

__global__ void __launch_bounds__(128) small_solve(const Number* a, const Number* b, Number* x,
                                                   unsigned long long* failed, int n, int columns, long long count,
                                                   int parts) {
    const Place place = place_of(n, count, parts);
    Factors f;
    factor(a, n, place, f);
    if (f.failed != 0 && place.lane == 0 && place.exists)
        atomicMin(failed, (unsigned long long)place.item * 64 + f.failed);
#pragma unroll 1
    for (int first = place.part * sides; first < columns; first += parts * sides) {
        Number rest[sides], mine[sides];
        const long long at = (place.item * n + place.lane) * columns + first;
#pragma unroll
        for (int c = 0; c < sides; ++c) {
            mine[c] = one(0);
            if (b == nullptr) rest[c] = one(place.lane == first + c ? 1 : 0);
            else rest[c] = place.exists && first + c < columns ? b[at + c] : one(0);
        }
#pragma unroll
        for (int k = 0; k < team; ++k) {
            if (k >= n) break;
#pragma unroll
            for (int c = 0; c < sides; ++c) {
                const Number known = at_lane(rest[c], place.base + f.pivots[k]);
                if (f.order > k) rest[c] = difference(rest[c], product(f.row[k], known));
            }
        }
#pragma unroll
        for (int k = team - 1; k >= 0; --k) {
            if (k >= n) continue;
#pragma unroll
            for (int c = 0; c < sides; ++c) {
                const Number known = at_lane(quotient(rest[c], f.pivot), place.base + f.pivots[k]);
                if (f.order < k) rest[c] = difference(rest[c], product(f.row[k], known));
                if (place.lane == k) mine[c] = known;
            }
        }
#pragma unroll
        for (int c = 0; c < sides; ++c)
            if (place.exists && first + c < columns) x[at + c] = f.finite ? mine[c] : not_a_number();
    }
}
