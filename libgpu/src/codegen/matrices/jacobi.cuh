// SPDX-License-Identifier: MIT
// Columns are scaled so that the largest magnitude is in [1, 2). A column whose square is below least() counts as zero:
// it is too small to rotate or to divide by.

enum { team = 8, max_sweeps = 40 };

// The sum over a team's threads; all of them get the same bits.
__device__ inline Real team_sum(Real x) {
    for (int by = team / 2; by > 0; by /= 2) x += __shfl_xor_sync(0xffffffffu, x, by);
    return x;
}
__device__ inline Number team_sum_of(Number x) {
    for (int by = team / 2; by > 0; by /= 2) x = sum(x, from_lane(x, by));
    return x;
}

// Rotates (p, q) to (c p - s w q, s p + c w q), where c = 1 - s half: small rotations then make small errors.
__device__ inline void turn(Number* p, Number* q, int count, int lane, Real s, Real half, Number w) {
#pragma unroll 4
    for (int r = lane; r < count; r += team) {
        const Number x = p[r], y = product(w, q[r]);
        p[r] = difference(x, scaled(sum(y, scaled(x, half)), s));
        q[r] = sum(y, scaled(difference(x, scaled(y, half)), s));
    }
}

// Makes column `column` of x a unit vector orthogonal to all finished ones: starts from the unit vector that they cover
// least and subtracts its components along them three times.
__device__ __noinline__ void complete(Number* x, int lead, int m, int n, int column, const int* done, Number* parts,
                                      Real* shares) {
    const int t = threadIdx.x, width = blockDim.x, lane = t % team;
    Number* const mine = x + column * lead;
#pragma unroll 1
    for (int r = t; r < m; r += width) {
        Real share = 0;
#pragma unroll 1
        for (int k = 0; k < n; ++k) if (done[k]) share += square(x[k * lead + r]);
        shares[r] = share;
    }
    __syncthreads();
    int first = 0;
#pragma unroll 1
    for (int r = 1; r < m; ++r) if (shares[r] < shares[first]) first = r;
#pragma unroll 1
    for (int r = t; r < m; r += width) mine[r] = one(r == first ? 1 : 0);
    __syncthreads();
#pragma unroll 1
    for (int time = 0; time < 3; ++time) {
#pragma unroll 1
        for (int k0 = 0; k0 < n; k0 += width / team) {
            const int k = k0 + t / team;
            Number part = one(0);
            if (k < n && done[k]) {
#pragma unroll 1
                for (int r = lane; r < m; r += team) part = sum(part, product(conjugate(x[k * lead + r]), mine[r]));
            }
            part = team_sum_of(part);
            if (k < n && lane == 0) parts[k] = part;
        }
        __syncthreads();
#pragma unroll 1
        for (int r = t; r < m; r += width) {
            Number rest = mine[r];
#pragma unroll 1
            for (int k = 0; k < n; ++k) if (done[k]) rest = difference(rest, product(parts[k], x[k * lead + r]));
            mine[r] = rest;
        }
        __syncthreads();
        Real length = 0;
#pragma unroll 1
        for (int r = lane; r < m; r += team) length += square(mine[r]);
        length = sqrt(team_sum(length));
        __syncthreads();
#pragma unroll 1
        for (int r = t; r < m; r += width) mine[r] = scaled(mine[r], 1 / length);
        __syncthreads();
    }
}

extern "C" __global__ void __launch_bounds__(256) svd_jacobi(const Number* a, Number* u, Real* s, Number* vh,
                                                             int* info, int m, int n, int vectors) {
    extern __shared__ Number memory[];
    __shared__ Bits largest;
    __shared__ Real lengths[64];
    __shared__ int places[64], done[64];
    const int t = threadIdx.x, width = blockDim.x, lane = t % team, group = t / team;
    const int lead = m | 1, lead_v = n | 1;  // odd: neighbouring columns begin in different banks
    Number* const x = memory;
    Number* const parts = x + n * lead;
    Number* const v = parts + n;
    Real* const shares = (Real*)(v + (vectors ? n * lead_v : 0));
    const long long item = blockIdx.x;
    a += item * m * n;

    if (t == 0) largest = 0;
    __syncthreads();
    Real max_size = 0;
#pragma unroll 4
    for (int i = t; i < m * n; i += width) {
        const Number z = a[i];
        x[i / m * lead + i % m] = z;
        max_size = fmax(max_size, size(z));
    }
    atomicMax(&largest, bits_of(max_size));
    if (vectors) {
#pragma unroll 1
        for (int i = t; i < n * n; i += width) v[i / n * lead_v + i % n] = one(i / n == i % n ? 1 : 0);
    }
    __syncthreads();
    const int exponent = exponent_of(largest);
    const Real scale = ldexp(Real(1), -exponent), back = ldexp(Real(1), exponent);
#pragma unroll 1
    for (int i = t; i < m * n; i += width) {
        Number* const z = x + (i / m * lead + i % m);
        *z = scaled(*z, scale);
    }
    __syncthreads();

    // A sweep rotates each pair of columns once, scheduled like a round robin of an even number of teams: one stays and
    // the others move on by one place.
    const int players = n + n % 2;
    const Real allowed = epsilon() * (sqrt((Real)m) + 4);  // rounding error of a sum of products, with a margin
    int sweep = 0;
#pragma unroll 1
    for (; sweep < max_sweeps; ++sweep) {
        int turned = 0;
#pragma unroll 1
        for (int step = 0; step < players - 1; ++step) {
            const int p = group == 0 ? players - 1 : (step + group) % (players - 1);
            const int q = group == 0 ? step : (step + players - 1 - group) % (players - 1);
            const bool plays = group < players / 2 && p < n && q < n;
            Number* const first = x + (plays ? p : 0) * lead;
            Number* const second = x + (plays ? q : 0) * lead;
            Real pp = 0, qq = 0;
            Number pq = one(0);
            if (plays) {
#pragma unroll 4
                for (int r = lane; r < m; r += team) {
                    const Number y = first[r], z = second[r];
                    pp += square(y);
                    qq += square(z);
                    pq = sum(pq, product(conjugate(y), z));
                }
            }
            pp = team_sum(pp);
            qq = team_sum(qq);
            pq = team_sum_of(pq);
            const Real g = magnitude(pq);
            if (plays && pp > min_square() && qq > min_square() && g > allowed * sqrt(pp) * sqrt(qq)) {
                // The smaller root of z^2 + 2 zeta z - 1.
                const Real zeta = (qq - pp) / (2 * g), away = fabs(zeta);
                const Real small = away > far() ? Real(0.5) / away : 1 / (away + sqrt(1 + away * away));
                const Real tangent = zeta < 0 ? -small : small;
                const Real c = 1 / sqrt(1 + tangent * tangent), sine = c * tangent, half = sine / (1 + c);
                const Number w = conjugate(phase(pq, g));
                turn(first, second, m, lane, sine, half, w);
                if (vectors) turn(v + p * lead_v, v + q * lead_v, n, lane, sine, half, w);
                turned = 1;
            }
            __syncthreads();
        }
        if (!__syncthreads_or(turned)) break;
    }

#pragma unroll 1
    for (int k0 = 0; k0 < n; k0 += width / team) {
        const int k = k0 + group;
        Real length = 0;
        if (k < n) {
#pragma unroll 1
            for (int r = lane; r < m; r += team) length += square(x[k * lead + r]);
        }
        length = team_sum(length);
        if (k < n && lane == 0) {
            lengths[k] = length > min_square() ? sqrt(length) : 0;
            done[k] = length > min_square();
        }
    }
    __syncthreads();
#pragma unroll 1
    for (int k = t; k < n; k += width) {
        int place = 0;
#pragma unroll 1
        for (int j = 0; j < n; ++j) place += lengths[j] > lengths[k] || (lengths[j] == lengths[k] && j < k);
        places[k] = place;
        s[item * n + place] = lengths[k] * back;
    }
    if (t == 0) info[item] = sweep < max_sweeps ? 0 : n + 1;
    if (!vectors) return;
#pragma unroll 1
    for (int i = t; i < m * n; i += width) {
        const int k = i / m;
        if (done[k]) x[k * lead + i % m] = scaled(x[k * lead + i % m], 1 / lengths[k]);
    }
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < n; ++k) {
        if (lengths[k] > 0) continue;
        complete(x, lead, m, n, k, done, parts, shares);
        if (t == 0) done[k] = 1;
        __syncthreads();
    }
    u += item * m * n;
    vh += item * n * n;
#pragma unroll 1
    for (int i = t; i < m * n; i += width) u[places[i / m] * m + i % m] = x[i / m * lead + i % m];
#pragma unroll 1
    for (int i = t; i < n * n; i += width) {
        const int k = i % n, j = i / n;
        vh[j * n + places[k]] = conjugate(v[k * lead_v + j]);
    }
}
