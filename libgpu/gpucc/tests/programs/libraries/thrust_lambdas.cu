// SPDX-License-Identifier: MIT
// Thrust with lambdas, placeholders, raw pointers in functors, keys and random numbers; beside a kernel of the program.
#include <thrust/adjacent_difference.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/pair.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>

#include <cstdio>

__device__ int place() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ void halve_one(int* x) {
    __shared__ int old[32];
    old[threadIdx.x] = *x;
    __syncwarp();
    *x = old[threadIdx.x] / 2;
}
__global__ void halve(int* x, int n) {
    const int i = place();
    if (i < 32) halve_one(x + (i < n ? i : n + i));
}
struct Bits {
    __device__ int operator()(int x) const { return __popc(x) + int(__expf(0.0f)); }
};
struct Particle {
    int id;
    float weight;
};
struct IsLight {
    __host__ __device__ bool operator()(const Particle& p) const { return p.weight < 1.5f; }
};
struct ByWeight {
    __host__ __device__ bool operator()(const Particle& a, const Particle& b) const { return a.weight > b.weight; }
};
struct Dice {
    unsigned seed;
    __host__ __device__ int operator()(unsigned k) const {
        thrust::default_random_engine engine(seed);
        thrust::uniform_int_distribution<int> dice(1, 6);
        engine.discard(k);
        return dice(engine);
    }
};
typedef thrust::pair<int, int> Range;
struct MakeRange {
    __host__ __device__ Range operator()(int x) const { return thrust::make_pair(x, x); }
};
struct JoinRanges {
    __host__ __device__ Range operator()(const Range& a, const Range& b) const {
        return thrust::make_pair(a.first < b.first ? a.first : b.first, a.second < b.second ? b.second : a.second);
    }
};

template <typename V>
void show(const char* name, const V& values) {
    printf("%s:", name);
    for (size_t k = 0; k < values.size(); ++k) printf(" %g", double(values[k]));
    printf("\n");
}

int main() {
    using namespace thrust::placeholders;
    const int n = 12;
    thrust::device_vector<int> x(n), y(n);
    x.resize(n + 32, 0);  // the kernel's threads without an element write behind them
    x.resize(n);
    int* raw = thrust::raw_pointer_cast(x.data());
    const int by = 3;
    thrust::tabulate(x.begin(), x.end(), [=] __device__(int i) { return by * i % 7; });
    show("tabulated", x);
    thrust::transform(x.begin(), x.end(), y.begin(), 2 * _1 + 1);
    show("placeholders", y);
    thrust::for_each(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n),
                     [=] __device__(int i) { raw[i] += 10 * (i % 2); });
    show("through a pointer", x);
    thrust::transform(x.begin(), x.end(), y.begin(), Bits());
    show("bits and one", y);
    halve<<<1, 32>>>(raw, n);  // Thrust sees what the kernel has done, and the kernel what Thrust has
    printf("sum %d\n", thrust::reduce(x.begin(), x.end()));
    const Range range =
        thrust::transform_reduce(x.begin(), x.end(), MakeRange(), thrust::make_pair(1000, -1000), JoinRanges());
    printf("from %d to %d\n", range.first, range.second);
    thrust::transform_inclusive_scan(x.begin(), x.end(), y.begin(), _1 * _1, thrust::plus<int>());
    show("squares added up", y);
    thrust::adjacent_difference(y.begin(), y.end(), y.begin());
    show("and back", y);

    // Keys.
    const int keys[] = {1, 1, 1, 2, 2, 5, 5, 5, 5, 1, 1, 3};
    thrust::device_vector<int> k(keys, keys + n), sums(n), which(n);
    thrust::inclusive_scan_by_key(k.begin(), k.end(), x.begin(), sums.begin());
    show("sums within keys", sums);
    thrust::exclusive_scan_by_key(k.begin(), k.end(), x.begin(), sums.begin());
    show("without the last", sums);
    const auto ends = thrust::reduce_by_key(k.begin(), k.end(), x.begin(), which.begin(), sums.begin(),
                                            thrust::equal_to<int>(), thrust::maximum<int>());
    which.resize(ends.first - which.begin());
    sums.resize(ends.second - sums.begin());
    show("keys", which);
    show("largest", sums);

    // Structures, and pairs of arrays.
    thrust::host_vector<Particle> host;
    for (int i = 0; i < 6; ++i) host.push_back(Particle{i, float(i * 5 % 6) / 2});
    thrust::device_vector<Particle> particles = host;
    particles.erase(thrust::remove_if(particles.begin(), particles.end(), IsLight()), particles.end());
    thrust::sort(particles.begin(), particles.end(), ByWeight());
    host = particles;
    for (const Particle& p : host) printf("%d (%g) ", p.id, p.weight);
    printf("\n");
    thrust::device_vector<float> values(4);
    thrust::sequence(values.begin(), values.end(), 4.0f, -1.0f);
    thrust::device_vector<int> names(4);
    thrust::sequence(names.begin(), names.end());
    auto first = thrust::make_zip_iterator(thrust::make_tuple(values.begin(), names.begin()));
    thrust::sort(first, first + 4);
    show("values", values);
    show("names", names);
    thrust::sort_by_key(names.begin(), names.end(), values.begin(), thrust::less<int>());
    show("values again", values);

    // Random numbers that do not depend on who draws them.
    thrust::device_vector<int> dice(n);
    thrust::transform(thrust::counting_iterator<unsigned>(0), thrust::counting_iterator<unsigned>(n), dice.begin(),
                      Dice{42});
    show("dice", dice);
    thrust::minstd_rand engine(7);
    thrust::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
    const float a = uniform(engine), b = uniform(engine);
    printf("%.5f %.5f\n", a, b);
    return 0;
}
