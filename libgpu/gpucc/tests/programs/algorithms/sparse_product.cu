// SPDX-License-Identifier: MIT
// A sparse matrix in CSR format times a vector: a thread a row, and a warp a row.
#include <cstdio>
#include <vector>

struct SparseMatrix {
    int rows = 0;
    std::vector<int> starts{0}, columns;
    std::vector<double> values;
    void add_row(const std::vector<std::pair<int, double>>& entries) {
        for (const auto& [column, value] : entries) {
            columns.push_back(column);
            values.push_back(value);
        }
        starts.push_back(int(columns.size()));
        ++rows;
    }
};

template <class T>
T* on_device(const std::vector<T>& host) {
    T* device = nullptr;
    cudaMalloc(&device, host.size() * sizeof(T));
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

__global__ void thread_a_row(int rows, const int* __restrict__ starts, const int* __restrict__ columns,
                             const double* __restrict__ values, const double* __restrict__ x, double* __restrict__ y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    double sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * __ldg(&x[columns[k]]);
    y[row] = sum;
}

__global__ void __launch_bounds__(128) warp_a_row(int rows, const int* starts, const int* columns, const double* values,
                                                   const double* x, double* y) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;
    if (row >= rows) return;
    double sum = 0;
    for (int k = starts[row] + lane; k < starts[row + 1]; k += warpSize) sum += values[k] * x[columns[k]];
    for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) y[row] = sum;
}

int main() {
    SparseMatrix a;
    const int n = 300;
    for (int row = 0; row < n; ++row) {
        std::vector<std::pair<int, double>> entries;
        for (int column = row % 7; column < n; column += 1 + row % 50)
            entries.emplace_back(column, (row + column) % 9 - 4 + 0.25);
        a.add_row(entries);
    }
    std::vector<double> x(n), y(n), z(n);
    for (int i = 0; i < n; ++i) x[i] = i % 5 - 2;
    int *starts = on_device(a.starts), *columns = on_device(a.columns);
    double *values = on_device(a.values), *device_x = on_device(x), *device_y = on_device(y);
    thread_a_row<<<(n + 63) / 64, 64>>>(a.rows, starts, columns, values, device_x, device_y);
    cudaMemcpy(y.data(), device_y, n * sizeof(double), cudaMemcpyDeviceToHost);
    cudaMemset(device_y, 0xff, n * sizeof(double));
    warp_a_row<<<(n + 3) / 4, 128>>>(a.rows, starts, columns, values, device_x, device_y);
    cudaMemcpy(z.data(), device_y, n * sizeof(double), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int row = 0; row < n; ++row) {
        double sum = 0;
        for (int k = a.starts[row]; k < a.starts[row + 1]; ++k) sum += a.values[k] * x[a.columns[k]];
        wrong += !(y[row] == sum) + !(z[row] == sum);
    }
    printf("%zu entries, %d wrong, y[7] = %g\n", a.values.size(), wrong, y[7]);
    for (void* p : {(void*)starts, (void*)columns, (void*)values, (void*)device_x, (void*)device_y}) cudaFree(p);
    return wrong;
}
