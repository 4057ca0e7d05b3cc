// SPDX-License-Identifier: MIT
// Each thread computes `lines` results below each other in each of `columns` columns, 32 apart: what it reads from the
// tile serves `lines` results, and a weight as many in each column. A tile's elements are loaded in batches, with many
// loads in flight before the first store. Each result is summed down the filter's columns, one after another.

extern "C" __global__ void __launch_bounds__(threads) convolve2d_tiled(const E* image, const E* filter, E* out,
                                                                       const Space s, const A fill) {
    extern __shared__ A shared[];
    const int filter_rows = (int)s.filter_rows, filter_columns = (int)s.filter_columns;
    const int span = width + filter_columns - 1, depth = height + filter_rows - 1;
    A* const weights = shared;
    A* const tile = shared + filter_rows * filter_columns;
    const unsigned across = (unsigned)((s.out_columns + width - 1) / width);
    const long long row = (long long)(blockIdx.x / across) * height, column = (long long)(blockIdx.x % across) * width;
    const long long top = row + s.first_row, left = column + s.first_column;
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;

    const auto weight_at = [&](int i) {
        return weight(filter[i / filter_columns * s.filter_row_step + i % filter_columns * s.filter_column_step], s);
    };
    const int weight_count = filter_rows * filter_columns;
    A first_weight = A();
    if ((int)threadIdx.x < weight_count) first_weight = weight_at(threadIdx.x);
    const bool interior = top >= 0 && left >= 0 && top + depth <= s.rows && left + span <= s.columns;
#pragma unroll 1
    for (int c0 = x; c0 < span; c0 += 32 * fetched) {
        long long offsets[fetched];
        bool has_column[fetched];
#pragma unroll
        for (int i = 0; i < fetched; ++i) {
            long long at = left + min(c0 + 32 * i, span - 1);
            if (!interior) at = extended(at, s.columns, s.boundary);
            has_column[i] = at >= 0;
            offsets[i] = (at < 0 ? 0 : at) * s.column_step;
        }
#pragma unroll 1
        for (int r0 = y; r0 < depth; r0 += warps * batch) {
            A values[batch][fetched];  // unconditional loads, so that none waits for another
            bool has_row[batch];
#pragma unroll
            for (int k = 0; k < batch; ++k) {
                long long from = top + min(r0 + k * warps, depth - 1);
                if (!interior) from = extended(from, s.rows, s.boundary);
                has_row[k] = from >= 0;
                const E* const line = image + (from < 0 ? 0 : from) * s.row_step;
#pragma unroll
                for (int i = 0; i < fetched; ++i) values[k][i] = A(line[offsets[i]]);
            }
            if (s.boundary == 0 && !interior) {
#pragma unroll
                for (int k = 0; k < batch; ++k)
#pragma unroll
                    for (int i = 0; i < fetched; ++i) if (!has_row[k] || !has_column[i]) values[k][i] = fill;
            }
#pragma unroll
            for (int k = 0; k < batch; ++k) {
                const int r = r0 + k * warps;
#pragma unroll
                for (int i = 0; i < fetched; ++i) {
                    if (r < depth && c0 + 32 * i < span) tile[r * span + c0 + 32 * i] = values[k][i];
                }
            }
        }
    }
    if ((int)threadIdx.x < weight_count) weights[threadIdx.x] = first_weight;
#pragma unroll 1
    for (int i = threadIdx.x + threads; i < weight_count; i += threads) weights[i] = weight_at(i);
    __syncthreads();

    A sum[lines][columns];
#pragma unroll
    for (int v = 0; v < lines; ++v)
#pragma unroll
        for (int u = 0; u < columns; ++u) sum[v][u] = A();
#pragma unroll 1
    for (int k = 0; k < filter_columns; ++k) {
        const A* below = tile + y * lines * span + x + k;
        const A* next = weights + k;
        A window[lines][columns];  // a ring: line j + v below the first is in window[(j + v) % lines]
#pragma unroll
        for (int v = 0; v < lines - 1; ++v) {
#pragma unroll
            for (int u = 0; u < columns; ++u) window[v][u] = below[32 * u];
            below += span;
        }
#pragma unroll 1
        for (int first = 0; first < filter_rows; first += lines) {
#pragma unroll
            for (int j = 0; j < lines; ++j) {
                if (first + j >= filter_rows) break;
                const A w = *next;
                next += filter_columns;
#pragma unroll
                for (int u = 0; u < columns; ++u) window[(j + lines - 1) % lines][u] = below[32 * u];
                below += span;
#pragma unroll
                for (int v = 0; v < lines; ++v)
#pragma unroll
                    for (int u = 0; u < columns; ++u) sum[v][u] += window[(j + v) % lines][u] * w;
            }
        }
    }
#pragma unroll
    for (int v = 0; v < lines; ++v) {
        const long long at = row + y * lines + v;
        E* const to = out + (at * s.out_columns + column + x);
#pragma unroll
        for (int u = 0; u < columns; ++u) {
            if (at < s.out_rows && column + x + 32 * u < s.out_columns) to[32 * u] = result(sum[v][u], s);
        }
    }
}
