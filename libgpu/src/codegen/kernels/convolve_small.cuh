// SPDX-License-Identifier: MIT
// All sizes but the image's are compile-time constants. Each thread computes `lines` x `columns` neighbouring results
// from registers. It loads groups of 16 bytes where they are aligned, after `head` scalar loads. Neighbouring threads
// find the inputs they share in the cache.

struct Group { alignas(sizeof(E) * columns) E at[columns]; };
extern "C" __global__ void __launch_bounds__(threads) convolve2d_small(const E* image, const E* filter, E* out,
                                                                       const Space s, const A fill) {
    enum { window_rows = lines + filter_rows - 1, window_columns = columns + filter_columns - 1,
           groups = (window_columns - head) / columns, tail = head + groups * columns };
    const unsigned across = (unsigned)((s.out_columns + 32 * columns - 1) / (32 * columns));
    const long long row = (long long)(blockIdx.x / across) * (threads / 32 * lines) + threadIdx.x / 32 * lines;
    const long long column = (long long)(blockIdx.x % across) * (32 * columns) + threadIdx.x % 32 * columns;
    if (row >= s.out_rows || column >= s.out_columns) return;
    const long long top = row + s.first_row, left = column + s.first_column;

    A window[window_rows][window_columns];
    if (top >= 0 && left >= 0 && top + window_rows <= s.rows && left + window_columns <= s.columns &&
        s.column_step == 1 && s.row_step % columns == 0) {
        const E* line = image + (top * s.row_step + left);
#pragma unroll
        for (int r = 0; r < window_rows; ++r) {
#pragma unroll
            for (int i = 0; i < head; ++i) window[r][i] = A(line[i]);
#pragma unroll
            for (int g = 0; g < groups; ++g) {
                const Group group = *(const Group*)(line + head + g * columns);
#pragma unroll
                for (int i = 0; i < columns; ++i) window[r][head + g * columns + i] = A(group.at[i]);
            }
#pragma unroll
            for (int i = tail; i < window_columns; ++i) window[r][i] = A(line[i]);
            line += s.row_step;
        }
    } else {
        long long offsets[window_columns];
        bool has_column[window_columns];
#pragma unroll
        for (int i = 0; i < window_columns; ++i) {
            const long long at = extended(left + i, s.columns, s.boundary);
            has_column[i] = at >= 0;
            offsets[i] = (at < 0 ? 0 : at) * s.column_step;
        }
#pragma unroll
        for (int r = 0; r < window_rows; ++r) {
            const long long from = extended(top + r, s.rows, s.boundary);
            const E* const line = image + (from < 0 ? 0 : from) * s.row_step;
#pragma unroll
            for (int i = 0; i < window_columns; ++i) {
                const A value = A(line[offsets[i]]);
                window[r][i] = from >= 0 && has_column[i] ? value : fill;
            }
        }
    }

    A sum[lines][columns];
#pragma unroll
    for (int v = 0; v < lines; ++v)
#pragma unroll
        for (int u = 0; u < columns; ++u) sum[v][u] = A();
#pragma unroll
    for (int j = 0; j < filter_rows; ++j)
#pragma unroll
        for (int k = 0; k < filter_columns; ++k) {
            const A w = weight(filter[j * s.filter_row_step + k * s.filter_column_step], s);
#pragma unroll
            for (int v = 0; v < lines; ++v)
#pragma unroll
                for (int u = 0; u < columns; ++u) sum[v][u] += window[v + j][u + k] * w;
        }
    E* const to = out + (row * s.out_columns + column);
    const bool whole = s.out_columns % columns == 0;
#pragma unroll
    for (int v = 0; v < lines; ++v) {
        if (row + v >= s.out_rows) continue;
        Group group;
#pragma unroll
        for (int u = 0; u < columns; ++u) group.at[u] = result(sum[v][u], s);
        Word word;
        memcpy(&word, &group, sizeof word);
        if (whole) __stcs((Word*)(to + v * s.out_columns), word);  // NVRTC splits a plain store into four
        else
#pragma unroll
            for (int u = 0; u < columns; ++u) if (column + u < s.out_columns) to[v * s.out_columns + u] = group.at[u];
    }
}
