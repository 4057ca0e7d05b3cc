// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

#include <gpucc/thrust/algorithms.h>
#include <gpucc/thrust/by_key.h>
#include <gpucc/thrust/sorting.h>

// CUB's algorithms for whole arrays. As in CUB, a first call with a null pointer says how much temporary memory is
// needed. They are Thrust's, in the calling thread, after all work that was queued before.
namespace cub {

/// Two arrays, of which a sort chooses the one that it leaves its result in.
template <class T>
struct DoubleBuffer {
    T* d_buffers[2] = {nullptr, nullptr};
    int selector = 0;
    DoubleBuffer() = default;
    DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
    T* Current() { return d_buffers[selector]; }
    T* Alternate() { return d_buffers[selector ^ 1]; }
};
template <class K, class V>
struct KeyValuePair {
    K key;
    V value;
};

// Operators that CUDA 13's CUB has under cuda::std, or not at all any more.
struct Max {
    template <class T>
    T operator()(const T& a, const T& b) const {
        return a < b ? b : a;
    }
};
struct Min {
    template <class T>
    T operator()(const T& a, const T& b) const {
        return b < a ? b : a;
    }
};
struct Sum {
    template <class T>
    T operator()(const T& a, const T& b) const {
        return a + b;
    }
};
template <class T>
using CountingInputIterator = thrust::counting_iterator<T>;
template <class T>
using ConstantInputIterator = thrust::constant_iterator<T>;
template <class T, class F, class I>
class TransformInputIterator : public thrust::transform_iterator<F, I> {
public:
    TransformInputIterator(I base, F f) : thrust::transform_iterator<F, I>(base, f) {}
};

namespace gpucc_detail {

/// The size of temporary memory in a first call: true, and there is nothing more to do.
inline bool asks_for_size(void* temporary, std::size_t& bytes) {
    if (temporary != nullptr) return false;
    bytes = 256;
    return true;
}
// Errors of the device come as the call's result.
template <class F>
cudaError_t run(const F& work) {
    try {
        work();
        return cudaSuccess;
    } catch (const std::exception&) {
        const cudaError_t error = cudaPeekAtLastError();
        return error != cudaSuccess ? error : cudaErrorUnknown;
    }
}
template <class O, class T>
void write_one(O out, const T& value) {
    const gpucc::DeviceAccess access;
    *thrust::plain(out) = value;
    thrust::note_written(thrust::plain(out));
}
template <class I>
using value_of = thrust::value_of<I>;

}  // namespace gpucc_detail

#define GPUCC_CUB_SIZE \
    if (cub::gpucc_detail::asks_for_size(temporary, bytes)) return cudaSuccess

struct DeviceReduce {
    template <class I, class O, class F, class T, class N>
    static cudaError_t Reduce(void* temporary, std::size_t& bytes, I in, O out, N count, F f, T start,
                              cudaStream_t = nullptr) {
        GPUCC_CUB_SIZE;
        return gpucc_detail::run([&] { gpucc_detail::write_one(out, thrust::reduce(in, in + count, start, f)); });
    }
    template <class I, class O, class F, class U, class T, class N>
    static cudaError_t TransformReduce(void* temporary, std::size_t& bytes, I in, O out, N count, F f, U unary, T start,
                                       cudaStream_t = nullptr) {
        GPUCC_CUB_SIZE;
        return gpucc_detail::run(
            [&] { gpucc_detail::write_one(out, thrust::transform_reduce(in, in + count, unary, start, f)); });
    }
    template <class I, class O, class N>
    static cudaError_t Sum(void* temporary, std::size_t& bytes, I in, O out, N count, cudaStream_t stream = nullptr) {
        using T = gpucc_detail::value_of<I>;
        return Reduce(temporary, bytes, in, out, count, std::plus<>(), T(), stream);
    }
    template <class I, class O, class N>
    static cudaError_t Max(void* temporary, std::size_t& bytes, I in, O out, N count, cudaStream_t stream = nullptr) {
        using T = gpucc_detail::value_of<I>;
        return Reduce(temporary, bytes, in, out, count, cub::Max(), std::numeric_limits<T>::lowest(), stream);
    }
    template <class I, class O, class N>
    static cudaError_t Min(void* temporary, std::size_t& bytes, I in, O out, N count, cudaStream_t stream = nullptr) {
        using T = gpucc_detail::value_of<I>;
        return Reduce(temporary, bytes, in, out, count, cub::Min(), std::numeric_limits<T>::max(), stream);
    }
    template <class K, class U, class V, class A, class R, class F, class N>
    static cudaError_t ReduceByKey(void* temporary, std::size_t& bytes, K keys, U unique, V values, A sums, R runs, F f,
                                   N count, cudaStream_t = nullptr) {
        GPUCC_CUB_SIZE;
        return gpucc_detail::run([&] {
            const auto ends = thrust::reduce_by_key(keys, keys + count, values, unique, sums, std::equal_to<>(), f);
            gpucc_detail::write_one(runs, static_cast<gpucc_detail::value_of<R>>(ends.first - unique));
        });
    }
};

struct DeviceScan {
    template <class I, class O, class N>
    static cudaError_t InclusiveSum(void* temporary, std::size_t& bytes, I in, O out, N count, cudaStream_t = nullptr) {
        return InclusiveScan(temporary, bytes, in, out, std::plus<>(), count);
    }
    template <class I, class O, class N>
    static cudaError_t ExclusiveSum(void* temporary, std::size_t& bytes, I in, O out, N count, cudaStream_t = nullptr) {
        return ExclusiveScan(temporary, bytes, in, out, std::plus<>(), gpucc_detail::value_of<I>(), count);
    }
    template <class I, class O, class F, class N>
    static cudaError_t InclusiveScan(void* temporary, std::size_t& bytes, I in, O out, F f, N count,
                                     cudaStream_t = nullptr) {
        GPUCC_CUB_SIZE;
        return gpucc_detail::run([&] { thrust::inclusive_scan(in, in + count, out, f); });
    }
    template <class I, class O, class F, class T, class N>
    static cudaError_t ExclusiveScan(void* temporary, std::size_t& bytes, I in, O out, F f, T start, N count,
                                     cudaStream_t = nullptr) {
        GPUCC_CUB_SIZE;
        return gpucc_detail::run([&] { thrust::exclusive_scan(in, in + count, out, start, f); });
    }
};

struct DeviceSelect {
    template <class I, class O, class R, class N, class F>
    static cudaError_t If(void* temporary, std::size_t& bytes, I in, O out, R chosen, N count, F f,
                          cudaStream_t = nullptr) {
        GPUCC_CUB_SIZE;
        return gpucc_detail::run([&] {
            const O end = thrust::copy_if(in, in + count, out, f);
            gpucc_detail::write_one(chosen, static_cast<gpucc_detail::value_of<R>>(end - out));
        });
    }
    template <class I, class S, class O, class R, class N>
    static cudaError_t Flagged(void* temporary, std::size_t& bytes, I in, S flags, O out, R chosen, N count,
                               cudaStream_t = nullptr) {
        GPUCC_CUB_SIZE;
        return gpucc_detail::run([&] {
            const O end = thrust::copy_if(in, in + count, flags, out, [](const auto& flag) { return bool(flag); });
            gpucc_detail::write_one(chosen, static_cast<gpucc_detail::value_of<R>>(end - out));
        });
    }
    template <class I, class O, class R, class N>
    static cudaError_t Unique(void* temporary, std::size_t& bytes, I in, O out, R chosen, N count,
                              cudaStream_t = nullptr) {
        GPUCC_CUB_SIZE;
        return gpucc_detail::run([&] {
            const O end = thrust::unique_copy(in, in + count, out);
            gpucc_detail::write_one(chosen, static_cast<gpucc_detail::value_of<R>>(end - out));
        });
    }
};

struct DeviceRunLengthEncode {
    template <class I, class U, class L, class R, class N>
    static cudaError_t Encode(void* temporary, std::size_t& bytes, I in, U unique, L lengths, R runs, N count,
                              cudaStream_t = nullptr) {
        using T = gpucc_detail::value_of<L>;
        return DeviceReduce::ReduceByKey(temporary, bytes, in, unique, thrust::make_constant_iterator(T(1)), lengths,
                                         runs, std::plus<>(), count);
    }
};

struct DeviceHistogram {
    template <class I, class C, class L, class N>
    static cudaError_t HistogramEven(void* temporary, std::size_t& bytes, I samples, C* counts, int edges, L low,
                                     L high, N count, cudaStream_t = nullptr) {
        GPUCC_CUB_SIZE;
        return gpucc_detail::run([&] {
            const gpucc::DeviceAccess access;
            const auto from = thrust::plain(samples);
            for (int k = 0; k + 1 < edges; ++k) counts[k] = C(0);
            for (N k = 0; k < count; ++k) {
                const auto value = from[k];
                if (!(value >= low) || !(value < high)) continue;
                const double place = (double(value) - double(low)) / (double(high) - double(low)) * (edges - 1);
                const int bin = int(place);
                ++counts[bin < edges - 1 ? bin : edges - 2];
            }
            gpucc::written_in_place(counts);
        });
    }
};

struct DeviceRadixSort {
    template <class K, class N>
    static cudaError_t SortKeys(void* temporary, std::size_t& bytes, const K* in, K* out, N count, int begin = 0,
                                int end = int(sizeof(K)) * 8, cudaStream_t = nullptr) {
        return keys(temporary, bytes, in, out, count, Order<K, false>{begin, end});
    }
    template <class K, class N>
    static cudaError_t SortKeysDescending(void* temporary, std::size_t& bytes, const K* in, K* out, N count,
                                          int begin = 0, int end = int(sizeof(K)) * 8, cudaStream_t = nullptr) {
        return keys(temporary, bytes, in, out, count, Order<K, true>{begin, end});
    }
    template <class K, class N>
    static cudaError_t SortKeys(void* temporary, std::size_t& bytes, DoubleBuffer<K>& both, N count, int begin = 0,
                                int end = int(sizeof(K)) * 8, cudaStream_t = nullptr) {
        return keys(temporary, bytes, both.Current(), both.Current(), count, Order<K, false>{begin, end});
    }
    template <class K, class V, class N>
    static cudaError_t SortPairs(void* temporary, std::size_t& bytes, const K* in, K* out, const V* values_in,
                                 V* values_out, N count, int begin = 0, int end = int(sizeof(K)) * 8,
                                 cudaStream_t = nullptr) {
        return pairs(temporary, bytes, in, out, values_in, values_out, count, Order<K, false>{begin, end});
    }
    template <class K, class V, class N>
    static cudaError_t SortPairsDescending(void* temporary, std::size_t& bytes, const K* in, K* out, const V* values_in,
                                           V* values_out, N count, int begin = 0, int end = int(sizeof(K)) * 8,
                                           cudaStream_t = nullptr) {
        return pairs(temporary, bytes, in, out, values_in, values_out, count, Order<K, true>{begin, end});
    }
    template <class K, class V, class N>
    static cudaError_t SortPairs(void* temporary, std::size_t& bytes, DoubleBuffer<K>& both, DoubleBuffer<V>& values,
                                 N count, int begin = 0, int end = int(sizeof(K)) * 8, cudaStream_t = nullptr) {
        return pairs(temporary, bytes, both.Current(), both.Current(), values.Current(), values.Current(), count,
                     Order<K, false>{begin, end});
    }

private:
    /// By the bits from `begin` to before `end`, as a radix sort takes them.
    template <class K, bool Descending>
    struct Order {
        int begin, end;
        std::uint64_t bits(K key) const {
            std::uint64_t word = 0;
            __builtin_memcpy(&word, &key, sizeof(K));
            constexpr int size = int(sizeof(K)) * 8;
            constexpr std::uint64_t sign = std::uint64_t(1) << (size - 1);
            constexpr std::uint64_t all = sign | (sign - 1);
            if (std::is_floating_point<K>::value)
                word = (word & sign) != 0 ? ~word & all : word | sign;
            else if (std::is_signed<K>::value)
                word ^= sign;
            const int count = end - begin;
            return word >> begin & (count >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << count) - 1);
        }
        bool operator()(const K& a, const K& b) const { return Descending ? bits(b) < bits(a) : bits(a) < bits(b); }
    };
    template <class K, class N, class F>
    static cudaError_t keys(void* temporary, std::size_t& bytes, const K* in, K* out, N count, F before) {
        GPUCC_CUB_SIZE;
        return gpucc_detail::run([&] {
            if (in != out) thrust::copy(in, in + count, out);
            thrust::stable_sort(out, out + count, before);
        });
    }
    template <class K, class V, class N, class F>
    static cudaError_t pairs(void* temporary, std::size_t& bytes, const K* in, K* out, const V* values_in,
                             V* values_out, N count, F before) {
        GPUCC_CUB_SIZE;
        return gpucc_detail::run([&] {
            if (in != out) thrust::copy(in, in + count, out);
            if (values_in != values_out) thrust::copy(values_in, values_in + count, values_out);
            thrust::stable_sort_by_key(out, out + count, values_out, before);
        });
    }
};

struct DeviceSegmentedReduce {
    template <class I, class O, class B, class E>
    static cudaError_t Sum(void* temporary, std::size_t& bytes, I in, O out, int segments, B begins, E ends,
                           cudaStream_t = nullptr) {
        GPUCC_CUB_SIZE;
        return gpucc_detail::run([&] {
            const gpucc::DeviceAccess access;
            const auto from = thrust::plain(in);
            auto to = thrust::plain(out);
            for (int k = 0; k < segments; ++k) {
                gpucc_detail::value_of<I> sum{};
                for (auto at = thrust::plain(begins)[k]; at < thrust::plain(ends)[k]; ++at) sum = sum + from[at];
                to[k] = sum;
            }
            thrust::note_written(to);
        });
    }
};
#undef GPUCC_CUB_SIZE

}  // namespace cub
