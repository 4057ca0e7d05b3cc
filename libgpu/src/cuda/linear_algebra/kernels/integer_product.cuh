// SPDX-License-Identifier: MIT
// Each thread computes 4 x 4 elements, 16 apart, so that neighbouring threads read and write neighbours. The two loads
// go along the axis whose stride is 1.

struct Steps { long long row, column, batch; };
struct Shape { long long rows, columns, inner, batch; };
__global__ void __launch_bounds__(256) integer_product(const Element* left, Steps l, const Element* right, Steps r,
                                                       Element* result, Steps o, Shape shape) {
    const int tile = 64, depth = 16;
    __shared__ Sum a[16][65];
    __shared__ Sum b[16][65];
    const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
    const long long across = (shape.columns + tile - 1) / tile, down = (shape.rows + tile - 1) / tile;
    for (long long t = blockIdx.x; t < across * down * shape.batch; t += gridDim.x) {
        const long long item = t / (across * down);
        const long long row0 = t / across % down * tile, column0 = t % across * tile;
        const Element* const from_left = left + item * l.batch;
        const Element* const from_right = right + item * r.batch;
        Sum sum[4][4];
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) sum[i][j] = 0;
        for (long long k0 = 0; k0 < shape.inner; k0 += depth) {
            for (int e = thread; e < tile * depth; e += 256) {
                const bool down_left = l.row == 1, along_right = r.column == 1;
                const int i = down_left ? e % tile : e / depth, ki = down_left ? e / tile : e % depth;
                const int j = along_right ? e % tile : e / depth, kj = along_right ? e / tile : e % depth;
                const long long row = row0 + i, column = column0 + j;
                a[ki][i] = row < shape.rows && k0 + ki < shape.inner
                    ? (Sum)from_left[row * l.row + (k0 + ki) * l.column] : (Sum)0;
                b[kj][j] = column < shape.columns && k0 + kj < shape.inner
                    ? (Sum)from_right[(k0 + kj) * r.row + column * r.column] : (Sum)0;
            }
            __syncthreads();
            for (int k = 0; k < depth; ++k)
                for (int i = 0; i < 4; ++i)
                    for (int j = 0; j < 4; ++j) sum[i][j] += a[k][y + 16 * i] * b[k][x + 16 * j];
            __syncthreads();
        }
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                const long long row = row0 + y + 16 * i, column = column0 + x + 16 * j;
                if (row < shape.rows && column < shape.columns)
                    result[item * o.batch + row * o.row + column * o.column] = (Element)sum[i][j];
            }
    }
}
