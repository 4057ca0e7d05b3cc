// SPDX-License-Identifier: MIT
// Gauss' elimination over the numbers modulo a prime: a class for them with operators on both sides.
#include <cstdio>
#include <utility>
#include <vector>

class Modular {
public:
    static constexpr long long prime = 1000003;
    __host__ __device__ Modular(long long value = 0) : value_((value % prime + prime) % prime) {}
    __host__ __device__ Modular operator+(const Modular& b) const { return value_ + b.value_; }
    __host__ __device__ Modular operator-(const Modular& b) const { return value_ - b.value_; }
    __host__ __device__ Modular operator*(const Modular& b) const { return value_ * b.value_; }
    __host__ __device__ Modular& operator-=(const Modular& b) { return *this = *this - b; }
    __host__ __device__ bool operator==(const Modular& b) const { return value_ == b.value_; }
    __host__ __device__ bool operator!=(const Modular& b) const { return !(*this == b); }
    __host__ __device__ explicit operator bool() const { return value_ != 0; }
    __host__ __device__ Modular power(long long n) const {
        Modular result = 1, base = *this;
        for (; n > 0; n /= 2, base = base * base)
            if (n % 2 == 1) result = result * base;
        return result;
    }
    __host__ __device__ friend Modular operator/(const Modular& a, const Modular& b) {
        return a * b.power(prime - 2);
    }
    long long value() const { return value_; }

private:
    long long value_;
};

__global__ void factors(const Modular* a, Modular* factor, int n, int pivot) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) factor[row] = row == pivot ? Modular(0) : a[row * (n + 1) + pivot] / a[pivot * (n + 1) + pivot];
}
__global__ void eliminate(Modular* a, const Modular* factor, int n, int pivot) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (column > n || row == pivot) return;
    a[row * (n + 1) + column] -= factor[row] * a[pivot * (n + 1) + column];
}

int main() {
    const int n = 24, width = n + 1;
    std::vector<Modular> a(n * width), x(n);
    for (int row = 0; row < n; ++row) {
        Modular sum;
        for (int column = 0; column < n; ++column) {
            a[row * width + column] = (row + 1) * (column + 3) + (row == column ? 1000 : row * row % 7);
            sum = sum + a[row * width + column] * Modular(column - 5);
        }
        a[row * width + n] = sum;
    }
    Modular *device, *factor;
    cudaMalloc(&device, a.size() * sizeof(Modular));
    cudaMalloc(&factor, n * sizeof(Modular));
    cudaMemcpy(device, a.data(), a.size() * sizeof(Modular), cudaMemcpyHostToDevice);
    for (int pivot = 0; pivot < n; ++pivot) {
        factors<<<1, n>>>(device, factor, n, pivot);
        eliminate<<<dim3((width + 15) / 16, n), 16>>>(device, factor, n, pivot);
    }
    cudaMemcpy(a.data(), device, a.size() * sizeof(Modular), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int row = 0; row < n; ++row) wrong += a[row * width + n] / a[row * width + row] != Modular(row - 5);
    printf("%d wrong, x[7] = %lld\n", wrong, (a[7 * width + n] / a[7 * width + 7]).value());
    cudaFree(device);
    cudaFree(factor);
    return wrong;
}
