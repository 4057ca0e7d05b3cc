// SPDX-License-Identifier: MIT
// What learners use of Thrust: vectors, transform, reduce, sort, scan; and its memory in a kernel.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <cstdio>

struct Saxpy {
    float a;
    explicit Saxpy(float a_) : a(a_) {}
    __host__ __device__ float operator()(const float& x, const float& y) const { return a * x + y; }
};
struct Square {
    __device__ int operator()(int x) const { return x * x; }
};
__global__ void add_one(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}

int main() {
    thrust::host_vector<int> h(8);
    for (size_t i = 0; i < h.size(); ++i) h[i] = int(i * 5 % 8);
    thrust::device_vector<int> d = h;
    add_one<<<1, 32>>>(thrust::raw_pointer_cast(d.data()), int(d.size()));
    thrust::sort(d.begin(), d.end());
    printf("%d %d, sum %d\n", int(d[0]), int(d[7]), thrust::reduce(d.begin(), d.end()));
    thrust::sort(thrust::device, d.begin(), d.end(), thrust::greater<int>());
    d[3] = 100;
    printf("%d, largest %d\n", int(d[1]), thrust::reduce(d.begin(), d.end(), 0, thrust::maximum<int>()));
    thrust::device_vector<float> x(4, 2.0f), y(4), z(4);
    thrust::sequence(y.begin(), y.end());
    thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), Saxpy(10.0f));
    thrust::host_vector<float> result = z;
    printf("%g %g\n", result[0], result[3]);
    thrust::device_vector<int> sums(8);
    thrust::inclusive_scan(d.begin(), d.end(), sums.begin());
    printf("%d ", int(sums.back()));
    thrust::exclusive_scan(d.begin(), d.end(), sums.begin());
    printf("%d\n", int(sums.back()));
    printf("%d\n", thrust::transform_reduce(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(5),
                                            Square(), 0, thrust::plus<int>()));
    thrust::device_vector<int> keys(d.begin(), d.begin() + 4), values(4);
    thrust::sequence(values.begin(), values.end(), 10, 10);
    thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
    thrust::copy(values.begin(), values.end(), h.begin());
    printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]);
    return 0;
}
