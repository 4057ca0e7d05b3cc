// SPDX-License-Identifier: MIT
// LU factors of small matrices by Gaussian elimination with partial pivoting: `team` neighbouring threads of a warp
// have a matrix, each a row of it in registers. Rows stay where they are; instead, `pivots` says which one was chosen
// when. All threads of a warp go through all steps: those without a matrix have rows of zeros that are never chosen.

struct Place {
    int lane, base;  // in the team, and the team's first lane in its warp
    long long item;
    int part;  // which of the item's teams this is
    bool exists;
};

__device__ inline Place place_of(int n, long long count, int parts) {
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, number = thread / team;
    const int lane = (int)(thread % team);
    const long long item = number / parts;
    return Place{lane, (int)(thread % 32) - lane, item, (int)(number % parts), item < count && lane < n};
}

struct Factors {
    Number row[team];  // multipliers of the rows chosen before this one, then its part of U
    int pivots[team];  // lanes
    Number pivot;      // this row's
    int order;         // when this row was chosen; `team` or more: never
    int failed;        // the first step without a pivot other than 0, counted from 1; 0: none
    bool odd;          // the order is an odd permutation
    bool finite;       // false: the matrix has a NaN or an infinity, and the identity takes its place
};

// The lane of the team's largest weight, the first of equal ones. A NaN counts as the largest of all.
__device__ inline int lane_of_largest(Real max_size, int lane) {
    if (max_size != max_size) max_size = real_infinity();
#pragma unroll
    for (int by = team / 2; by > 0; by /= 2) {
        const Real other = __shfl_xor_sync(0xffffffffu, max_size, by);
        const int there = __shfl_xor_sync(0xffffffffu, lane, by);
        const bool takes = other > max_size || (other == max_size && there < lane);
        max_size = takes ? other : max_size;
        lane = takes ? there : lane;
    }
    return lane;
}

__device__ __forceinline__ void factor(const Number* a, int n, const Place& place, Factors& f) {
    bool finite = true;
#pragma unroll
    for (int j = 0; j < team; ++j) {
        f.row[j] = place.exists && j < n ? a[(place.item * n + place.lane) * n + j] : one(0);
        finite = finite && is_finite(f.row[j]);
    }
    const unsigned all = team == 32 ? 0xffffffffu : ((1u << (team & 31)) - 1) << place.base;
    f.finite = (__ballot_sync(0xffffffffu, finite) & all) == all;
    if (!f.finite) {
#pragma unroll
        for (int j = 0; j < team; ++j) f.row[j] = one(j == place.lane ? 1 : 0);
    }
    f.order = place.exists ? team : -1;
    f.failed = 0;
    f.odd = false;
    f.pivot = one(1);
#pragma unroll
    for (int k = 0; k < team; ++k) {
        if (k >= n) break;
        const bool is_left = f.order > k;
        const int chosen = lane_of_largest(is_left ? weight(f.row[k]) : Real(-1), place.lane);
        const unsigned before = __ballot_sync(0xffffffffu, is_left && place.lane < chosen) & all;
        f.odd = f.odd != (__popc(before) % 2 == 1);
        f.pivots[k] = chosen;
        if (place.lane == chosen && is_left) {
            f.order = k;
            f.pivot = f.row[k];
        }
        const Number pivot = at_lane(f.row[k], place.base + chosen);
        const bool is_zero = weight(pivot) == 0;
        if (is_zero && f.failed == 0) f.failed = k + 1;
        const bool below = f.order > k;
        const Number by = below && !is_zero ? quotient(f.row[k], pivot) : one(0);
        if (below) f.row[k] = by;
#pragma unroll
        for (int j = k + 1; j < team; ++j) {
            const Number above = at_lane(f.row[j], place.base + chosen);
            if (below) f.row[j] = difference(f.row[j], product(by, above));
        }
    }
}
