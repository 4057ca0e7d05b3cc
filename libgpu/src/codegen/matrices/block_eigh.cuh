// SPDX-License-Identifier: MIT
// Eigenvalues of small symmetric and Hermitian matrices: one block per matrix, by two-sided Jacobi rotations in shared
// memory. In each step all pairs of rows are rotated at once: a thread transforms the elements where a pair of rows
// meets a pair of columns. The matrix is scaled so that its largest magnitude is in [1, 2), and has an even number of
// rows: one of zeros more if n is odd.

enum { max_sweeps = 40, max_rows = 64 };

// The column's elements p and q become those of (c p - s w q, s p + c w q), where c = 1 - s half.
__device__ inline void turn(Number& p, Number& q, Real s, Real half, Number w) {
    const Number x = p, y = product(w, q);
    p = difference(x, scaled(sum(y, scaled(x, half)), s));
    q = sum(y, scaled(difference(x, scaled(y, half)), s));
}

// Reads the lower triangles of row-major matrices, or with `upper` the upper ones. Values are ascending, and
// eigenvectors (unless null) the columns of row-major matrices. `failed` is the smallest item with a NaN or an
// infinity; if there is none, 2^62 more than the smallest one that didn't converge.
__global__ void __launch_bounds__(256) block_eigh(const Number* a, Real* values, Number* vectors,
                                                  unsigned long long* failed, int n, int upper) {
    extern __shared__ Number memory[];
    __shared__ Bits largest;
    __shared__ Real sines[max_rows / 2], halves[max_rows / 2], diagonal[max_rows];
    __shared__ Number phases[max_rows / 2];
    __shared__ int firsts[max_rows / 2], seconds[max_rows / 2], places[max_rows];
    const int t = threadIdx.x, width = blockDim.x;
    // With an even distance between columns, those of a step's elements are in different banks: both indices go up
    // from pair to pair, or one goes down.
    const int rows = n + n % 2, pairs = rows / 2, lead = rows + 2;
    Number* const x = memory;                // columns
    Number* const v = memory + rows * lead;  // columns
    const long long item = blockIdx.x;
    a += item * n * n;

    if (t == 0) largest = 0;
    __syncthreads();
    Real max_size = 0;
    bool finite = true;
#pragma unroll 1
    for (int e = t; e < rows * rows; e += width) {
        const int i = e / rows, j = e % rows;  // row and column
        Number z = one(0);
        if (i < n && j < n) {
            const bool is_given = upper ? i <= j : i >= j;
            z = is_given ? a[i * n + j] : conjugate(a[j * n + i]);
            if (i == j) z = one(real_part(z));
            finite = finite && is_finite(z);
        }
        x[j * lead + i] = z;
        max_size = fmax(max_size, size(z));
        if (vectors != nullptr) v[j * lead + i] = one(i == j ? 1 : 0);
    }
    atomicMax(&largest, bits_of(max_size));
    if (__syncthreads_or(!finite)) {
        if (t == 0) atomicMin(failed, (unsigned long long)item);
        return;
    }
    const int exponent = exponent_of(largest);
    const Real scale = ldexp(Real(1), -exponent), back = ldexp(Real(1), exponent);
#pragma unroll 1
    for (int e = t; e < rows * rows; e += width) {
        Number* const z = x + (e / rows * lead + e % rows);
        *z = scaled(*z, scale);
    }
    __syncthreads();

    // A sweep rotates each pair once, scheduled like a round robin: one stays and the others move on by one place.
    int sweep = 0;
#pragma unroll 1
    for (; sweep < max_sweeps; ++sweep) {
        int turned = 0;
#pragma unroll 1
        for (int step = 0; step < rows - 1; ++step) {
            if (t < pairs) {
                const int p = t == 0 ? rows - 1 : (step + t) % (rows - 1);
                const int q = t == 0 ? step : (step + rows - 1 - t) % (rows - 1);
                const Number pq = x[q * lead + p];
                const Real pp = real_part(x[p * lead + p]), qq = real_part(x[q * lead + q]), g = magnitude(pq);
                Real sine = 0, half = 0;
                Number w = one(1);
                if (g > epsilon()) {
                    // The smaller root of z^2 + 2 zeta z - 1.
                    const Real zeta = (qq - pp) / (2 * g), away = fabs(zeta);
                    const Real small = away > far() ? Real(0.5) / away : 1 / (away + sqrt(1 + away * away));
                    const Real tangent = zeta < 0 ? -small : small, c = 1 / sqrt(1 + tangent * tangent);
                    sine = c * tangent;
                    half = sine / (1 + c);
                    w = conjugate(phase(pq, g));
                    x[p * lead + p] = one(pp - tangent * g);
                    x[q * lead + q] = one(qq + tangent * g);
                    x[q * lead + p] = x[p * lead + q] = one(0);
                    turned = 1;
                }
                sines[t] = sine;
                halves[t] = half;
                phases[t] = w;
                firsts[t] = p;
                seconds[t] = q;
            }
            __syncthreads();
            // Each two pairs meet twice, in elements that are conjugates.
#pragma unroll 1
            for (int e = t; e < pairs * (pairs / 2); e += width) {
                const int i = e % pairs, apart = e / pairs + 1, j = (i + apart) % pairs;
                if ((2 * apart == pairs && i > j) || (sines[i] == 0 && sines[j] == 0)) continue;
                const int p = firsts[i], q = seconds[i], left = firsts[j], right = seconds[j];
                Number pp = x[left * lead + p], qp = x[left * lead + q];
                Number pq = x[right * lead + p], qq = x[right * lead + q];
                const Real s = sines[j], half = halves[j];
                const Number w = phases[j], u = conjugate(phases[i]);
                turn(pp, pq, s, half, w);
                turn(qp, qq, s, half, w);
                turn(pp, qp, sines[i], halves[i], u);
                turn(pq, qq, sines[i], halves[i], u);
                x[left * lead + p] = pp;
                x[left * lead + q] = qp;
                x[right * lead + p] = pq;
                x[right * lead + q] = qq;
                x[p * lead + left] = conjugate(pp);
                x[q * lead + left] = conjugate(qp);
                x[p * lead + right] = conjugate(pq);
                x[q * lead + right] = conjugate(qq);
            }
            if (vectors != nullptr) {
#pragma unroll 4
                for (int e = t; e < rows * pairs; e += width) {
                    const int r = e % rows, j = e / rows;
                    if (sines[j] == 0) continue;
                    turn(v[firsts[j] * lead + r], v[seconds[j] * lead + r], sines[j], halves[j], phases[j]);
                }
            }
            __syncthreads();
        }
        if (!__syncthreads_or(turned)) break;
    }

#pragma unroll 1
    for (int k = t; k < n; k += width) diagonal[k] = real_part(x[k * lead + k]);
    __syncthreads();
#pragma unroll 1
    for (int k = t; k < n; k += width) {
        int place = 0;
#pragma unroll 1
        for (int j = 0; j < n; ++j) place += diagonal[j] < diagonal[k] || (diagonal[j] == diagonal[k] && j < k);
        places[k] = place;
        values[item * n + place] = diagonal[k] * back;
    }
    if (t == 0 && sweep == max_sweeps) atomicMin(failed, (1ull << 62) + (unsigned long long)item);
    if (vectors == nullptr) return;
    __syncthreads();
    vectors += item * n * n;
#pragma unroll 1
    for (int e = t; e < n * n; e += width) vectors[e / n * n + places[e % n]] = v[e % n * lead + e / n];
}
