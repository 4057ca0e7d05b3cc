// SPDX-License-Identifier: MIT
// Each thread computes `strip` neighbouring results of a row.

extern "C" __global__ void convolve2d_plain(const E* image, const E* filter, E* out, const Space s, const A fill) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long strips = (s.out_columns + strip - 1) / strip;
    if (t >= strips * s.out_rows) return;
    const long long row = t / strips, column = t % strips * strip, left = column + s.first_column;
    const bool inside = s.column_step == 1 && left >= 0 && left + strip - 1 + s.filter_columns <= s.columns;
    A sum[strip];
#pragma unroll
    for (int v = 0; v < strip; ++v) sum[v] = A();
    for (long long j = 0; j < s.filter_rows; ++j) {
        const long long r = extended(row + s.first_row + j, s.rows, s.boundary);
        const E* const weights = filter + j * s.filter_row_step;
        const E* const line = image + (r < 0 ? 0 : r) * s.row_step;
        if (inside && r >= 0) {
            for (long long k = 0; k < s.filter_columns; ++k) {
                const A w = weight(weights[k * s.filter_column_step], s);
                const E* const from = line + (left + k);
#pragma unroll
                for (int v = 0; v < strip; ++v) sum[v] += A(from[v]) * w;
            }
        } else {
            for (long long k = 0; k < s.filter_columns; ++k) {
                const A w = weight(weights[k * s.filter_column_step], s);
                for (int v = 0; v < strip; ++v) {
                    const long long c = extended(left + k + v, s.columns, s.boundary);
                    sum[v] += (r < 0 || c < 0 ? fill : A(line[c * s.column_step])) * w;
                }
            }
        }
    }
    for (int v = 0; v < strip && column + v < s.out_columns; ++v) {
        out[row * s.out_columns + column + v] = result(sum[v], s);
    }
}
