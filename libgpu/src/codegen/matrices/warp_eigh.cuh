// SPDX-License-Identifier: MIT
// Eigenvalues of small symmetric and Hermitian matrices: `team` neighbouring threads of a warp have a matrix, each a
// row of it, and a row of the eigenvectors, in registers. Jacobi's rotations from both sides turn all pairs of rows at
// once, scheduled like a round robin of `rows` players: the last one stays and the others move on by one place. Columns
// move along from register to register, pairs being neighbours; rows stay, and get their partner's elements from its
// thread.

enum { pairs = rows / 2, max_sweeps = 40 };

// Columns p and q become (1 - h) p - s q and (1 - h) q + conjugate(s) p, where 1 - h is the cosine: small rotations
// then make small errors.
struct alignas(sizeof(Number) == sizeof(Real) ? 2 * sizeof(Real) : sizeof(Real)) Rotation { Number s; Real h; };

__device__ __forceinline__ void turn(Number& p, Number& q, const Rotation& by) {
    const Number x = p, y = q;
    p = difference(difference(x, scaled(x, by.h)), product(by.s, y));
    q = sum(difference(y, scaled(y, by.h)), product(conjugate(by.s), x));
}

__device__ __forceinline__ Real real_at(Real x, int lane) { return __shfl_sync(0xffffffffu, x, lane); }
__device__ __forceinline__ Real sum_of_team(Real x) {
#pragma unroll
    for (int by = team / 2; by > 0; by /= 2) x += __shfl_xor_sync(0xffffffffu, x, by);
    return x;
}

// Reads the lower triangles of row-major n x n matrices, or with `upper` the upper ones. Values are ascending, and
// eigenvectors (unless null) the columns of row-major matrices. `failed` is the smallest item with a NaN or an
// infinity; if there is none, 2^62 more than the smallest one that didn't converge.
__global__ void __launch_bounds__(128) warp_eigh(const Number* a, Real* values, Number* vectors,
                                                 unsigned long long* failed, int n, int upper, long long count) {
    __shared__ Rotation shared[128 / team][pairs];
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, item = thread / team;
    const int lane = (int)(thread % team), base = (int)(thread % 32) - lane;
    const bool exists = item < count && lane < n;
    Rotation* const rotations = shared[threadIdx.x / team];

    // In the first step, player k is pair k's first one and player rows - 1 - k its second, but for the last player.
    Number x[rows], v[rows];
    Real max_size = 0;
    bool finite = true;
#pragma unroll
    for (int at = 0; at < rows; ++at) {
        const int column = at == 0 ? rows - 1 : at % 2 == 0 ? at / 2 : (rows - 1 - at / 2) % (rows - 1);
        Number z = one(0);
        if (exists && column < n) {
            const bool is_given = upper ? lane <= column : lane >= column;
            z = is_given ? a[(item * n + lane) * n + column] : conjugate(a[(item * n + column) * n + lane]);
            if (lane == column) z = one(real_part(z));
        }
        finite = finite && is_finite(z);
        max_size = fmax(max_size, size(z));
        x[at] = z;
        v[at] = one(lane == column ? 1 : 0);
    }
    const unsigned all = team == 32 ? 0xffffffffu : ((1u << (team & 31)) - 1) << base;
    finite = (__ballot_sync(0xffffffffu, finite) & all) == all;
#pragma unroll
    for (int by = team / 2; by > 0; by /= 2) max_size = fmax(max_size, __shfl_xor_sync(0xffffffffu, max_size, by));
    // The largest magnitude gets into [1, 2).
    const int exponent = exponent_of(bits_of(max_size));
    const Real scale = ldexp(Real(1), -exponent), back = ldexp(Real(1), exponent);
    Real diagonal = 0, squares = 0;
#pragma unroll
    for (int at = 0; at < rows; ++at) {
        const int column = at == 0 ? rows - 1 : at % 2 == 0 ? at / 2 : (rows - 1 - at / 2) % (rows - 1);
        x[at] = finite ? scaled(x[at], scale) : one(0);
        if (lane == column) diagonal = real_part(x[at]);
        squares += square(x[at]);
    }
    const Real negligible = epsilon() * sqrt(sum_of_team(squares));

    int sweep = 0;
#pragma unroll 1
    for (; sweep < max_sweeps; ++sweep) {
        bool turned = false;
#pragma unroll 1
        for (int step = 0; step < rows - 1; ++step) {
            // Of this row: its partner, its pair, and which of the two it is.
            int other = 2 * step - lane, pair = lane - step;
            other += other < 0 ? rows - 1 : 0;
            other -= other >= rows - 1 ? rows - 1 : 0;
            pair += pair < 0 ? rows - 1 : 0;
            bool is_first = pair < pairs;
            if (!is_first) pair = rows - 1 - pair;
            if (lane == step) other = rows - 1, pair = 0, is_first = false;
            if (lane == rows - 1) other = step, pair = 0, is_first = true;
            if (lane >= rows) other = lane, pair = -1, is_first = false;
            // Its element in the partner's column, which the first one has found.
            Number crossing = one(0);
#pragma unroll
            for (int k = 0; k < pairs; ++k)
                if (pair == k) crossing = x[2 * k + 1];
            const Number from_first = at_lane(crossing, base + (is_first ? lane : other));
            const Real opposite = real_at(diagonal, base + other), g = magnitude(from_first);
            Rotation mine{one(0), 0};
            if (g > negligible) {
                // t = tan is the smaller root of t^2 + (q - p) / g t - 1.
                const Real apart = is_first ? opposite - diagonal : diagonal - opposite;
                const Real root = sqrt(apart * apart + 4 * g * g);
                const Real t = (apart < 0 ? -2 : 2) * g / (fabs(apart) + root), cosine = 1 / sqrt(1 + t * t);
                mine.s = scaled(conjugate(phase(from_first, g)), t * cosine);
                mine.h = t * t * cosine / (1 + 1 / cosine);
                diagonal += is_first ? -t * g : t * g;
                turned = true;
            }
            if (is_first && pair >= 0) rotations[pair] = mine;
            __syncwarp();
#pragma unroll
            for (int k = 0; k < pairs; ++k) {
                const Rotation by = rotations[k];
                turn(x[2 * k], x[2 * k + 1], by);
                turn(v[2 * k], v[2 * k + 1], by);
            }
            __syncwarp();
            const Number s = is_first ? difference(one(0), conjugate(mine.s)) : mine.s;
#pragma unroll
            for (int at = 0; at < rows; ++at) {
                const Number partner = at_lane(x[at], base + other);
                x[at] = sum(difference(x[at], scaled(x[at], mine.h)), product(s, partner));
            }
            // On to the next step: first ones go down a place, second ones up; the last player stays.
            if (pairs > 1) {
                const Number x1 = x[2 * (pairs > 1 ? 1 : 0)], v1 = v[2 * (pairs > 1 ? 1 : 0)];
#pragma unroll
                for (int k = 1; k < pairs - 1; ++k) {
                    x[2 * k] = x[2 * k + 2];
                    v[2 * k] = v[2 * k + 2];
                }
                x[rows - 2] = x[rows - 1];
                v[rows - 2] = v[rows - 1];
#pragma unroll
                for (int k = pairs - 1; k > 0; --k) {
                    x[2 * k + 1] = x[2 * k - 1];
                    v[2 * k + 1] = v[2 * k - 1];
                }
                x[1] = x1;
                v[1] = v1;
            }
        }
        if (!__any_sync(0xffffffffu, turned)) break;
    }

    if (!finite || sweep == max_sweeps) {
        if (exists && lane == 0)
            atomicMin(failed, (unsigned long long)item + (finite ? 1ull << 62 : 0ull));
    }
    // The place of each value; those of padding come last.
    int place = 0;
#pragma unroll
    for (int j = 0; j < rows; ++j) {
        const Real value = real_at(diagonal, base + j);
        place += j < n && (value < diagonal || (value == diagonal && j < lane));
    }
    if (exists) values[item * n + place] = diagonal * back;
    if (vectors == nullptr) return;
#pragma unroll
    for (int at = 0; at < rows; ++at) {
        const int column = at == 0 ? rows - 1 : at % 2 == 0 ? at / 2 : (rows - 1 - at / 2) % (rows - 1);
        const int to = __shfl_sync(0xffffffffu, place, base + column);
        if (exists && column < n) vectors[(item * n + lane) * n + to] = v[at];
    }
}
