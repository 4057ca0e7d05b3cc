// SPDX-License-Identifier: MIT
// The part of the prelude common to raw_loop, raw_fiber and raw_check: indices, assert, and how libgpu calls a kernel.
// Before this file, a mode defines threadIdx and its kin, gpu_calls, gpu_count_atomic() and, if the runtime's own
// functions must not be watched, GPU_UNCHECKED.

#pragma GCC system_header
#ifndef GPU_UNCHECKED
#define GPU_UNCHECKED
#endif
#include "libgpu/math.hpp"
#include "libgpu/math_more.hpp"
#include "libgpu/atomics.hpp"
#ifdef GPU_DEBUGGED
#define __global__ inline __attribute__((noinline))
#else
#define __global__ inline __attribute__((always_inline))
#endif
#define __shared__ static __thread
static const int warpSize = 32;  // not a macro: a learner's variable may have this name
GPU_INLINE void* operator new(size_t, void* place) noexcept { return place; }
GPU_INLINE void* operator new[](size_t, void* place) noexcept { return place; }

GPU_UNCHECKED __attribute__((noreturn, cold, noinline))
inline void gpu_fail(const char* what, const char* file, int line, uint3 t) {
    GPU_HOST(fail)(what, file, line, &t);
    __builtin_unreachable();
}
#define assert(condition) \
    ((condition) ? (void)0 : gpu_fail("assertion `" #condition "' failed", __FILE__, __LINE__, threadIdx))
GPU_INLINE void __trap(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    gpu_fail("__trap() was called", file, line, threadIdx);
}
#include "libgpu/print.hpp"
// Nanoseconds of the machine's clock. They say nothing about a GPU.
GPU_UNCHECKED inline long long clock64() { return GPU_HOST(clock)(); }
typedef long clock_t;
GPU_INLINE clock_t clock() { return clock64(); }

template <class T> struct gpu_size_of { static constexpr unsigned value = sizeof(T), alignment = alignof(T); };
template <> struct gpu_size_of<void> { static constexpr unsigned value = 0, alignment = 0; };
template <> struct gpu_size_of<const void> : gpu_size_of<void> {};
template <class R, class... A> struct gpu_size_of<R(A...)> : gpu_size_of<void> {};
template <class T> struct gpu_pointee {
    static constexpr bool pointer = false, constant = false;
    static constexpr unsigned size = 0, inner_size = 0, alignment = 0;
};
template <class T> struct gpu_pointee<T*> {
    static constexpr bool pointer = true, constant = false;
    static constexpr unsigned size = gpu_size_of<T>::value, inner_size = gpu_pointee<T>::size,
                              alignment = gpu_size_of<T>::alignment;
};
template <class T> struct gpu_pointee<const T*> : gpu_pointee<T*> { static constexpr bool constant = true; };
template <class T> struct gpu_pointee<T* __restrict__> : gpu_pointee<T*> {};
template <class T> struct gpu_pointed { typedef void type; };
template <class T> struct gpu_pointed<T*> { typedef T type; };
template <class T> struct gpu_pointed<T* const*> { typedef T* type; };
template <class T> struct gpu_pointed<T* __restrict__> : gpu_pointed<T*> {};
template <unsigned... I> struct gpu_list {};
template <unsigned N, unsigned... I> struct gpu_count : gpu_count<N - 1, N - 1, I...> {};
template <unsigned... I> struct gpu_count<0, I...> { typedef gpu_list<I...> type; };
template <class... P> struct gpu_parameters {
    static constexpr gpu_parameter list[sizeof...(P) + 1] = {
        {nullptr, sizeof(P), gpu_pointee<P>::pointer, gpu_pointee<P>::constant, false, gpu_pointee<P>::size,
         gpu_pointee<P>::inner_size, gpu_pointee<typename gpu_pointed<P>::type>::constant,
         gpu_pointee<P>::alignment}...,
        {nullptr, 0, false, false, false, 0, 0, false, 0}};
};
template <auto Kernel> struct gpu_raw;
// After the learner's text, only our own names may be used: the learner's macros are active there.
#define GPU_EXPORT extern "C" __attribute__((__visibility__("default"), __used__))
#define GPU_RAW_MODULE(gpu_entry, gpu_name, gpu_names, gpu_others, ...) \
    GPU_EXPORT const gpu_module gpu_entry = gpu_raw<__VA_ARGS__>::gpu_describe(gpu_name, gpu_names, gpu_others);
