// SPDX-License-Identifier: MIT
// A class template that owns device memory: moves, no copies, launches from members, functors as arguments.
#include <cstdio>
#include <initializer_list>
#include <stdexcept>
#include <utility>
#include <vector>

inline void check(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

template <typename T, typename F>
__global__ void transform_kernel(T* data, int n, F f) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = f(data[i]);
}
template <typename T, typename U, typename F>
__global__ void combine_kernel(T* data, const U* other, int n, F f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        data[i] = f(data[i], other[i]);
}

template <typename T>
class DeviceVector {
public:
    explicit DeviceVector(int n) : size_(n) { check(cudaMalloc(&data_, n * sizeof(T))); }
    DeviceVector(std::initializer_list<T> values) : DeviceVector(int(values.size())) {
        check(cudaMemcpy(data_, values.begin(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    DeviceVector(const DeviceVector&) = delete;
    DeviceVector& operator=(const DeviceVector&) = delete;
    DeviceVector(DeviceVector&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    DeviceVector& operator=(DeviceVector&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~DeviceVector() { cudaFree(data_); }

    template <typename F>
    DeviceVector& transform(F f) {
        transform_kernel<<<(size_ + threads - 1) / threads, threads>>>(data_, size_, f);
        check(cudaGetLastError());
        return *this;
    }
    template <typename U, typename F>
    DeviceVector& combine(const DeviceVector<U>& other, F f) {
        if (other.size() != size_) throw std::invalid_argument("sizes differ");
        combine_kernel<T, U, F><<<1, threads>>>(data_, other.data(), size_, f);
        check(cudaGetLastError());
        return *this;
    }
    std::vector<T> host() const {
        std::vector<T> values(size_);
        check(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }
    const T* data() const { return data_; }
    int size() const { return size_; }

private:
    static constexpr int threads = 64;
    T* data_ = nullptr;
    int size_ = 0;
};

template <typename T>
struct Scale {
    T by;
    __device__ T operator()(T x) const { return by * x; }
};
struct Plus {
    template <typename A, typename B>
    __host__ __device__ auto operator()(A a, B b) const -> decltype(a + b) {
        return a + b;
    }
};
template <int N>
struct Power {
    __device__ long operator()(long x) const {
        if constexpr (N == 0)
            return 1;
        else
            return x * Power<N - 1>()(x);
    }
};

template <typename T>
void print(const char* name, const DeviceVector<T>& v) {
    printf("%s:", name);
    for (T x : v.host()) printf(" %g", double(x));
    printf("\n");
}

DeviceVector<long> made() {
    DeviceVector<long> v{1, 2, 3, 4, 5};
    v.transform(Power<3>());
    return v;
}

int main() {
    DeviceVector<double> a{0.5, 1.5, 2.5, 3.5, 4.5};
    DeviceVector<long> b = made();
    a.transform(Scale<double>{4}).combine(b, Plus());
    print("a", a);
    b = DeviceVector<long>{7, 8};
    print("b", b.combine(DeviceVector<short>{10, 20}, Plus{}));
    try {
        a.combine(b, Plus());
    } catch (const std::invalid_argument& error) {
        printf("refused: %s\n", error.what());
    }
    return 0;
}
