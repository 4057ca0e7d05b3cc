// SPDX-License-Identifier: MIT
#pragma once

/// @file
/// Everything in libgpu except the opt-in headers, such as gpu/eigen.hpp.

#if defined(__cplusplus) && __cplusplus < 202002L
#error "libgpu needs C++20: compile with -std=c++20, or link gpu::gpu in CMake, which asks for it"
#else
#include <gpu/array.hpp>
#include <gpu/check.hpp>
#include <gpu/create.hpp>
#include <gpu/device.hpp>
#include <gpu/dtype.hpp>
#include <gpu/elementwise_kernel.hpp>
#include <gpu/error.hpp>
#include <gpu/expression.hpp>
#include <gpu/fft.hpp>
#include <gpu/fuse.hpp>
#include <gpu/graph.hpp>
#include <gpu/indexing.hpp>
#include <gpu/join.hpp>
#include <gpu/kernel_cache.hpp>
#include <gpu/kernel_options.hpp>
#include <gpu/linalg.hpp>
#include <gpu/masks.hpp>
#include <gpu/math.hpp>
#include <gpu/matmul.hpp>
#include <gpu/memory.hpp>
#include <gpu/npy.hpp>
#include <gpu/ops.hpp>
#include <gpu/pointer_array.hpp>
#include <gpu/print.hpp>
#include <gpu/profiler.hpp>
#include <gpu/random.hpp>
#include <gpu/raw_kernel.hpp>
#include <gpu/raw_module.hpp>
#include <gpu/reduction_call.hpp>
#include <gpu/reduction_kernel.hpp>
#include <gpu/reductions.hpp>
#include <gpu/rounding.hpp>
#include <gpu/shape.hpp>
#include <gpu/signal.hpp>
#include <gpu/sorting.hpp>
#include <gpu/statistics.hpp>
#include <gpu/stream.hpp>
#include <gpu/texture.hpp>
#include <gpu/transfer.hpp>
#include <gpu/view.hpp>

#include <concepts>
#include <initializer_list>

// Calls that are right in NumPy or CuPy and have another spelling here: the compiler says which.
/// @cond internal
#define GPU_WRITE(function, sentence)            \
    template <detail::ArrayLike A, class... B>   \
    int function(const A&, const B&...) {        \
        static_assert(sizeof(A) == 0, sentence); \
        return 0;                                \
    }

namespace gpu {
// A function's name doesn't hide the namespace std where `std::` is written.
GPU_WRITE(std, "the standard deviation is gpu::stddev(x)")
GPU_WRITE(amax, "the maximum is gpu::max(x)")
GPU_WRITE(amin, "the minimum is gpu::min(x)")
GPU_WRITE(ptp, "write gpu::max(x) - gpu::min(x)")
GPU_WRITE(average, "write gpu::mean(x), and with weights gpu::sum(x * w) / gpu::sum(w)")
GPU_WRITE(around, "rounding is gpu::round(x)")
GPU_WRITE(fix, "rounding towards 0 is gpu::trunc(x)")
GPU_WRITE(trapz, "the integral is gpu::trapezoid(y, x)")
GPU_WRITE(append, "arrays are joined by gpu::concatenate<float>({x, y})")
GPU_WRITE(concat, "arrays are joined by gpu::concatenate<float>({x, y})")
GPU_WRITE(fliplr, "write gpu::flip(x, {1})")
GPU_WRITE(flipud, "write gpu::flip(x, {0})")
GPU_WRITE(hsplit, "write gpu::split(x, 2, {.axis = 1})")
GPU_WRITE(vsplit, "write gpu::split(x, 2, {.axis = 0})")
GPU_WRITE(atleast_1d, "write gpu::expand_dims(x, 0) for each axis that is missing")
GPU_WRITE(atleast_2d, "write gpu::expand_dims(x, 0) for each axis that is missing")
GPU_WRITE(atleast_3d, "write gpu::expand_dims(x, 0) for each axis that is missing")
GPU_WRITE(in1d, "write gpu::isin(x, y)")
GPU_WRITE(union1d, "write gpu::unique(gpu::concatenate<float>({x, y}))")
GPU_WRITE(intersect1d, "write gpu::unique(x[gpu::isin(x, y)].compress())")
GPU_WRITE(setdiff1d, "write gpu::unique(x[!gpu::isin(x, y)].compress())")
GPU_WRITE(nancumsum, "write gpu::cumsum(gpu::where(gpu::isnan(x), 0.f, x))")
GPU_WRITE(putmask, "write x[mask] = y[mask]")
GPU_WRITE(fill_diagonal, "write x.diagonal() = 7")
GPU_WRITE(polyfit,
          "write gpu::linalg::lstsq(powers, y), where powers is gpu::pow(x.expand_dims(1), gpu::arange<float>(n))")
GPU_WRITE(asnumpy, "copying to the host is gpu::to_host(x)")
GPU_WRITE(take, "write x.take(index, {.axis = 0}), or x[index] along the first axis")
GPU_WRITE(diagonal, "write x.diagonal()")
GPU_WRITE(to_device, "the array is on a device already: write x, x.copy(), or x.to(device) for another one")

// clang-format off
// gpu::argsort is stable: sort by the key that decides last, then by the one before it.
void lexsort(std::initializer_list<AnyArray>) = delete;  // write order = gpu::argsort(b); order[gpu::argsort(a[order])]
// clang-format on
template <detail::HostMemory H, class... B>
int asarray(const H&, const B&...) {
    static_assert(sizeof(H) == 0, "copying to the device is gpu::to_device(h)");
    return 0;
}
template <detail::HostMemory H>
int to_host(const H&) {
    static_assert(sizeof(H) == 0, "this memory is the host's already; gpu::to_device(h) copies it to the device");
    return 0;
}
template <Arithmetic N>
int to_device(N) {
    static_assert(sizeof(N) == 0,
                  "an array of one number is gpu::to_device({3.f}), one of many gpu::full<float>({5}, 3)");
    return 0;
}
template <class T, std::integral N>
int to_device(const T*, N) {
    static_assert(sizeof(N) == 0, "a pointer and a length are a span: write gpu::to_device(std::span(pointer, n))");
    return 0;
}
template <detail::ArrayLike A>
int where(const A&) {
    static_assert(sizeof(A) == 0, "where a mask is true is gpu::nonzero(mask), an array for each axis");
    return 0;
}

template <detail::ArrayLike C, class A, class B>
requires(detail::HostMemory<A> || detail::HostMemory<B>) int where(const C&, const A&, const B&) {
    static_assert(sizeof(C) == 0, "one operand is on the device, the other on the host: write gpu::to_device(h)");
    return 0;
}

#define GPU_ON_THE_HOST(function)                                                   \
    template <detail::ArrayLike A, detail::HostMemory H>                            \
    int function(const A&, const H&) {                                              \
        static_assert(sizeof(H) == 0,                                               \
                      "one operand is on the device, the other on the host: write " \
                      "gpu::to_device(h) or gpu::to_host(x)");                      \
        return 0;                                                                   \
    }                                                                               \
    template <detail::HostMemory H, detail::ArrayLike A>                            \
    int function(const H&, const A&) {                                              \
        static_assert(sizeof(H) == 0,                                               \
                      "one operand is on the device, the other on the host: write " \
                      "gpu::to_device(h) or gpu::to_host(x)");                      \
        return 0;                                                                   \
    }
GPU_ON_THE_HOST(matmul)
GPU_ON_THE_HOST(dot)
GPU_ON_THE_HOST(outer)
#undef GPU_ON_THE_HOST

namespace linalg {
GPU_WRITE(cond, "of S = gpu::linalg::svdvals(m), write S(0) / S(-1)")
GPU_WRITE(matrix_rank, "of S = gpu::linalg::svdvals(m), write gpu::count_nonzero(S > 1e-6f)")
GPU_WRITE(eigvals, "gpu::linalg::eigvalsh(m) is for symmetric matrices; those of others are Eigen's or cuSOLVER's work")
GPU_WRITE(eig, "gpu::linalg::eigh(m) is for symmetric matrices; others are Eigen's or cuSOLVER's work")
}  // namespace linalg

namespace random {
#define GPU_WRITE_RANDOM(function, sentence)       \
    template <std::integral... N>                  \
    int function(N...) {                           \
        static_assert(sizeof...(N) > 8, sentence); \
        return 0;                                  \
    }                                              \
    template <std::integral N>                     \
    int function(std::initializer_list<N>) {       \
        static_assert(sizeof(N) == 0, sentence);   \
        return 0;                                  \
    }
GPU_WRITE_RANDOM(rand, "write gpu::random::uniform<float>({2, 3})")
GPU_WRITE_RANDOM(randn, "write gpu::random::normal<float>({2, 3})")
GPU_WRITE_RANDOM(standard_normal, "write gpu::random::normal<float>({2, 3})")
GPU_WRITE_RANDOM(randint, "write gpu::random::integers<int>({2, 3}, 0, 10)")
#undef GPU_WRITE_RANDOM
}  // namespace random

}  // namespace gpu
#undef GPU_WRITE
/// @endcond
#endif
