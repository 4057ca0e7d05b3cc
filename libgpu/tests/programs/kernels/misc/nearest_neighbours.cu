// SPDX-License-Identifier: MIT
// The three nearest points of each query, kept sorted in registers, over tiles of points in shared memory.

constexpr int block_size = 32;
constexpr int kept = 3;

__global__ void nearest(const int* point_values, const int* query_values, int* places, int n, int query_count) {
    const int2* points = reinterpret_cast<const int2*>(point_values);
    __shared__ int2 tile[block_size];
    int q = blockIdx.x * block_size + threadIdx.x;
    int2 own = q < query_count ? reinterpret_cast<const int2*>(query_values)[q] : int2{0, 0};
    int best[kept], place[kept];
    for (int k = 0; k < kept; ++k) {
        best[k] = 0x7fffffff;
        place[k] = -1;
    }
    for (int first = 0; first < n; first += block_size) {
        if (first + threadIdx.x < n) tile[threadIdx.x] = points[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < min(block_size, n - first); ++j) {
            int dx = tile[j].x - own.x, dy = tile[j].y - own.y, distance = dx * dx + dy * dy;
            if (distance >= best[kept - 1]) continue;
            int k = kept - 1;
            for (; k > 0 && best[k - 1] > distance; --k) {
                best[k] = best[k - 1];
                place[k] = place[k - 1];
            }
            best[k] = distance;
            place[k] = first + j;
        }
        __syncthreads();
    }
    if (q < query_count)
        for (int k = 0; k < kept; ++k) places[q * kept + k] = place[k];
}
