// SPDX-License-Identifier: MIT
// A class that owns device memory, a product with tiles whose size the command line gives, and exceptions.
#include <cstdio>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <vector>

#ifndef TILE
#define TILE 16
#endif

static void check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::ostringstream text;
    text << what << ": " << cudaGetErrorString(error);
    throw std::runtime_error(text.str());
}

template <typename T>
class DeviceMatrix {
public:
    DeviceMatrix(int rows, int columns) : rows_(rows), columns_(columns) {
        T* memory = nullptr;
        check(cudaMalloc(&memory, bytes()), "cudaMalloc");
        memory_.reset(memory);
    }
    explicit DeviceMatrix(const std::vector<T>& host, int rows, int columns) : DeviceMatrix(rows, columns) {
        check(cudaMemcpy(memory_.get(), host.data(), bytes(), cudaMemcpyHostToDevice), "to device");
    }
    std::vector<T> host() const {
        std::vector<T> copy(rows_ * columns_);
        check(cudaMemcpy(copy.data(), memory_.get(), bytes(), cudaMemcpyDeviceToHost), "to host");
        return copy;
    }
    T* data() { return memory_.get(); }
    int rows() const { return rows_; }
    int columns() const { return columns_; }

private:
    struct Free {
        void operator()(T* memory) const { cudaFree(memory); }
    };
    size_t bytes() const { return sizeof(T) * rows_ * columns_; }
    int rows_, columns_;
    std::unique_ptr<T, Free> memory_;
};

template <typename T>
__global__ void multiply(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c, int m, int k, int n) {
    __shared__ T as[TILE][TILE], bs[TILE][TILE + 1];
    const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    T sum = 0;
    for (int t = 0; t < (k + TILE - 1) / TILE; ++t) {
        const int ak = t * TILE + threadIdx.x, bk = t * TILE + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = row < m && ak < k ? a[row * k + ak] : T(0);
        bs[threadIdx.y][threadIdx.x] = column < n && bk < k ? b[bk * n + column] : T(0);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}

template <typename T>
DeviceMatrix<T> operator*(DeviceMatrix<T>& a, DeviceMatrix<T>& b) {
    if (a.columns() != b.rows()) throw std::invalid_argument("inner sizes differ");
    DeviceMatrix<T> c(a.rows(), b.columns());
    const dim3 block(TILE, TILE), grid((c.columns() + TILE - 1) / TILE, (c.rows() + TILE - 1) / TILE);
    multiply<<<grid, block>>>(a.data(), b.data(), c.data(), a.rows(), a.columns(), b.columns());
    check(cudaGetLastError(), "multiply");
    return c;
}

template <typename T>
int wrong_elements(int m, int k, int n) {
    std::vector<T> a(m * k), b(k * n);
    for (size_t i = 0; i < a.size(); ++i) a[i] = T(i % 7) - 3;
    for (size_t i = 0; i < b.size(); ++i) b[i] = T(i % 5) - 2;
    DeviceMatrix<T> da(a, m, k), db(b, k, n);
    const std::vector<T> c = (da * db).host();
    int wrong = 0;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            T sum = 0;
            for (int l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
            wrong += sum != c[i * n + j];
        }
    return wrong;
}

int main() {
    printf("float %d, double %d, int %d\n", wrong_elements<float>(33, 20, 17), wrong_elements<double>(16, 16, 16),
           wrong_elements<int>(1, 50, 3));
    try {
        DeviceMatrix<float> a(2, 3), b(2, 3);
        a* b;
    } catch (const std::exception& error) {
        printf("caught: %s\n", error.what());
    }
    return 0;
}
