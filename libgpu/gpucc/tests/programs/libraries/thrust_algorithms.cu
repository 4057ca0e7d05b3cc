// SPDX-License-Identifier: MIT
// Thrust's algorithms over vectors, raw pointers and iterators that compute what they give.
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include <cstdio>

struct IsEven {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct Square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};
struct Saxpy {
    float a;
    __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct AddThree {
    template <typename Tuple>
    __host__ __device__ void operator()(Tuple t) const {
        thrust::get<2>(t) = thrust::get<0>(t) + 2 * thrust::get<1>(t);
    }
};
struct Distance {
    __host__ __device__ float operator()(const thrust::tuple<float, float>& p) const {
        return thrust::get<0>(p) * thrust::get<0>(p) + thrust::get<1>(p) * thrust::get<1>(p);
    }
};

template <typename V>
void show(const char* name, const V& values, size_t count) {
    printf("%s:", name);
    for (size_t k = 0; k < count; ++k) printf(" %d", int(values[k]));
    printf("\n");
}
template <typename V>
void show(const char* name, const V& values) {
    show(name, values, values.size());
}

int main() {
    const int data[] = {5, 3, 8, 3, 1, 8, 8, 2, 9, 4};
    const int n = 10;
    thrust::device_vector<int> x(data, data + n), y(n), z(n);
    show("squares", (thrust::transform(x.begin(), x.end(), y.begin(), Square()), y));
    thrust::transform(x.begin(), x.end(), thrust::make_constant_iterator(10), y.begin(), thrust::plus<int>());
    show("plus ten", y);
    printf("sum %d, product %d, largest %d, even %d\n", thrust::reduce(x.begin(), x.end()),
           thrust::reduce(x.begin(), x.begin() + 4, 1, thrust::multiplies<int>()),
           thrust::reduce(thrust::device, x.begin(), x.end(), -1, thrust::maximum<int>()),
           int(thrust::count_if(x.begin(), x.end(), IsEven())));
    printf("sum of squares %d, dot %d\n",
           thrust::transform_reduce(x.begin(), x.end(), Square(), 0, thrust::plus<int>()),
           thrust::inner_product(x.begin(), x.end(), y.begin(), 0));
    printf("1 + ... + 100 squared %d\n",
           thrust::reduce(thrust::make_transform_iterator(thrust::counting_iterator<int>(1), Square()),
                          thrust::make_transform_iterator(thrust::counting_iterator<int>(101), Square())));

    // Selections.
    auto end = thrust::copy_if(x.begin(), x.end(), y.begin(), IsEven());
    show("even ones", y, end - y.begin());
    y = x;
    end = thrust::remove_if(y.begin(), y.end(), IsEven());
    show("odd ones", y, end - y.begin());
    end = thrust::copy_if(thrust::make_counting_iterator(0), thrust::make_counting_iterator(n), x.begin(), y.begin(),
                          IsEven());
    show("where even", y, end - y.begin());
    y = x;
    const auto middle = thrust::stable_partition(y.begin(), y.end(), IsEven());
    printf("partition at %d, ", int(middle - y.begin()));
    show("parted", y);

    // Sorting and sorted sequences.
    thrust::sequence(z.begin(), z.end());
    y = x;
    thrust::stable_sort_by_key(y.begin(), y.end(), z.begin());
    show("sorted", y);
    show("from", z);
    thrust::device_vector<int> keys(n), counts(n);
    const auto ends =
        thrust::reduce_by_key(y.begin(), y.end(), thrust::constant_iterator<int>(1), keys.begin(), counts.begin());
    show("keys", keys, ends.first - keys.begin());
    show("counts", counts, ends.second - counts.begin());
    printf("lower bound of 8 %d, upper %d, 7 is %sthere\n", int(thrust::lower_bound(y.begin(), y.end(), 8) - y.begin()),
           int(thrust::upper_bound(y.begin(), y.end(), 8) - y.begin()),
           thrust::binary_search(y.begin(), y.end(), 7) ? "" : "not ");
    thrust::lower_bound(y.begin(), y.end(), thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(10),
                        z.begin());
    show("lower bounds", z);
    end = thrust::unique(y.begin(), y.end());
    y.resize(end - y.begin());
    show("unique", y);
    const int others[] = {2, 3, 7, 9};
    thrust::device_vector<int> second(others, others + 4);
    end = thrust::set_intersection(y.begin(), y.end(), second.begin(), second.end(), z.begin());
    show("in both", z, end - z.begin());
    thrust::sort(x.begin(), x.end(), thrust::greater<int>());
    show("falling", x);

    // Scans, gather and scatter.
    thrust::inclusive_scan(x.begin(), x.end(), z.begin());
    show("inclusive", z);
    thrust::exclusive_scan(x.begin(), x.end(), z.begin(), 100);
    show("exclusive", z);
    thrust::inclusive_scan(x.begin(), x.end(), z.begin(), thrust::minimum<int>());
    show("smallest so far", z);
    const int numbers[] = {9, 0, 8, 1, 7, 2, 6, 3, 5, 4};
    thrust::device_vector<int> order(numbers, numbers + n);
    thrust::gather(order.begin(), order.end(), x.begin(), z.begin());
    show("gathered", z);
    thrust::scatter(x.begin(), x.end(), order.begin(), z.begin());
    show("scattered", z);
    printf("through numbers %d\n", thrust::reduce(thrust::make_permutation_iterator(x.begin(), order.begin()),
                                                  thrust::make_permutation_iterator(x.begin(), order.begin() + 3)));

    // Several arrays at once, and arrays of cudaMalloc().
    thrust::device_vector<float> u(4), v(4), w(4);
    thrust::sequence(u.begin(), u.end(), 1.0f);
    thrust::fill(v.begin(), v.end(), 0.5f);
    thrust::transform(u.begin(), u.end(), v.begin(), w.begin(), Saxpy{2.0f});
    printf("saxpy %g %g\n", float(w[0]), float(w[3]));
    thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(u.begin(), v.begin(), w.begin())),
                     thrust::make_zip_iterator(thrust::make_tuple(u.end(), v.end(), w.end())), AddThree());
    printf("zipped %g %g\n", float(w[0]), float(w[3]));
    printf("squared lengths %g\n",
           thrust::transform_reduce(thrust::make_zip_iterator(thrust::make_tuple(u.begin(), v.begin())),
                                    thrust::make_zip_iterator(thrust::make_tuple(u.end(), v.end())), Distance(), 0.0f,
                                    thrust::plus<float>()));
    const auto largest = thrust::max_element(w.begin(), w.end());
    printf("largest %g at %d, all positive %d\n", float(*largest), int(largest - w.begin()),
           int(thrust::all_of(thrust::make_counting_iterator(2), thrust::make_counting_iterator(4), IsEven())));

    int* raw;
    cudaMalloc(&raw, n * sizeof(int));
    thrust::device_ptr<int> from = thrust::device_pointer_cast(raw);
    thrust::sequence(from, from + n, 10, 5);
    thrust::sort(thrust::device, raw, raw + n, thrust::greater<int>());
    int host[n];
    cudaMemcpy(host, raw, sizeof host, cudaMemcpyDeviceToHost);
    printf("raw %d %d, %d\n", host[0], host[n - 1], int(from[1]));
    cudaFree(raw);

    thrust::host_vector<int> back = x;
    back.push_back(77);
    x = back;
    x.erase(x.begin(), x.begin() + 9);
    x.push_back(78);
    x[0] = 76;
    printf("%d elements, %d %d %d\n", int(x.size()), int(x[0]), int(x[1]), int(x.back()));
    return 0;
}
