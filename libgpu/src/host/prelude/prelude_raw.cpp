// SPDX-License-Identifier: MIT
#include <string>

#include "host/prelude/prelude.hpp"

// The part of the prelude that raw kernels get: indices, printf, assert, and how libgpu calls a kernel. raw_loop and
// raw_fiber are two modes; the third, raw_check, has a file of its own.
namespace gpu::detail::host::text {

// Of generated kernels, those that name it get it. Before it, a mode defines gpu_calls and GPU_UNCHECKED.
const char print[] = R"gpu(
#pragma GCC system_header
GPU_UNCHECKED __attribute__((cold, noinline)) inline void gpu_print(const char* format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    GPU_HOST(print)(format, list);
    __builtin_va_end(list);
}
// A GPU's printf returns how many arguments it was given.
template <class... A> GPU_INLINE int printf(const char* format, A... arguments) {
    if (format == nullptr) return -1;
    gpu_print(format, arguments...);
    return (int)sizeof...(A);
}
)gpu";

// What all modes share. Before it, a mode defines threadIdx and its kin, gpu_calls, gpu_count_atomic() and, if
// functions of the run-time's own must not be watched, GPU_UNCHECKED.
const char raw[] = R"gpu(
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
static const int warpSize = 32;  // not a macro: a learner's variable may be called so
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
// After the learner's text only names of ours may be used: macros of theirs are in force there.
#define GPU_EXPORT extern "C" __attribute__((__visibility__("default"), __used__))
#define GPU_RAW_MODULE(gpu_entry, gpu_name, gpu_names, gpu_others, ...) \
    GPU_EXPORT const gpu_module gpu_entry = gpu_raw<__VA_ARGS__>::gpu_describe(gpu_name, gpu_names, gpu_others);
)gpu";

// Loop mode. The index variables are thread-local, never address-taken and const for the learner, so that they live in
// registers. Without barriers, threads of a correct kernel are unordered: hence GPU_INDEPENDENT.
const char raw_loop[] = R"gpu(
#pragma GCC system_header
#include "libgpu/types.hpp"
#include "libgpu/vectors.hpp"
static __thread uint3 gpu_thread, gpu_block, gpu_block_size, gpu_grid_size;
static __thread unsigned long long gpu_atomics;
static __thread const gpu_host_calls* gpu_calls;
#define threadIdx ((const uint3&)gpu_thread)
#define blockIdx ((const uint3&)gpu_block)
#define blockDim ((const uint3&)gpu_block_size)
#define gridDim ((const uint3&)gpu_grid_size)
GPU_INLINE void gpu_count_atomic() { ++gpu_atomics; }
#include "libgpu/raw.hpp"

// A thread's first look at thread-local memory allocates it. clang 14 believes that registers of AVX-512 outlive that,
// so it happens in a call of its own, before a kernel's arguments are in registers.
__attribute__((noinline)) static void gpu_find_variables() { gpu_thread.x = 0; __asm__ volatile(""); }

template <class... P, void (*Kernel)(P...)> struct gpu_raw<Kernel> : gpu_parameters<P...> {
    static constexpr int count = sizeof...(P);
    template <bool Small, class F> GPU_INLINE static void threads(gpu_block_call* call, F kernel, P... p) {
        const uint3 begin = call->begin, end = call->end;
        const unsigned width = call->block_size.x;
        if (Small && (width > 1024u || end.x > 1024u)) __builtin_unreachable();
        gpu_grid_size = call->grid_size;
        gpu_block_size.x = width, gpu_block_size.y = call->block_size.y, gpu_block_size.z = call->block_size.z;
        gpu_block.y = call->block.y, gpu_block.z = call->block.z;
        gpu_calls = call->calls;
        gpu_atomics = 0;
        for (unsigned block = call->block.x; block < call->block_end; ++block) {
            *(volatile unsigned*)&call->block.x = block;  // a fault is told with its block
            gpu_block.x = block;
            const unsigned base = block * width;
            for (unsigned z = begin.z; z < end.z; ++z)
                for (unsigned y = begin.y; y < end.y; ++y) {
                    gpu_thread.z = z, gpu_thread.y = y;
                    if (Small) {
                        // Over blockIdx.x * blockDim.x + threadIdx.x itself, as an int that can't overflow: so a guard
                        // such as if (i < n) becomes the end of the loop, and accesses at [i] become contiguous.
                        if (base > 0x7ffff000u) __builtin_unreachable();
                        const int first = (int)(base + begin.x), last = (int)(base + end.x);
                        GPU_INDEPENDENT
                        for (int i = first; i < last; ++i) {
                            gpu_thread.x = (unsigned)i - base;
                            kernel(p...);
                        }
                    } else {
                        for (unsigned x = begin.x; x < end.x; ++x) {
                            gpu_thread.x = x;
                            kernel(p...);
                        }
                    }
                }
        }
        call->atomics += gpu_atomics;
    }
    struct Inlined { GPU_INLINE void operator()(P... p) const { Kernel(p...); } };
    template <unsigned... I> static void small(gpu_block_call* call, gpu_list<I...>) {
        threads<true>(call, Inlined(), *(P*)call->arguments[I]...);
    }
    template <unsigned... I> static void large(gpu_block_call* call, gpu_list<I...>) {
        void (*volatile kernel)(P...) = Kernel;
        threads<false>(call, (void (*)(P...))kernel, *(P*)call->arguments[I]...);
    }
    static constexpr gpu_module gpu_describe(const char* name, const char* names, const char* others) {
        return {GPU_ABI, gpu_module_loop, name, gpu_parameters<P...>::list, count, names, others, block, block_large};
    }
    static void block(gpu_block_call* call) {
        gpu_find_variables();
        small(call, typename gpu_count<count>::type());
    }
    static void block_large(gpu_block_call* call) {
        gpu_find_variables();
        large(call, typename gpu_count<count>::type());
    }
};
)gpu";

// Fiber mode. A line number tells one barrier from another, not the return address: compilers copy calls.
const char raw_fiber[] = R"gpu(
#pragma GCC system_header
#include "libgpu/types.hpp"
#include "libgpu/vectors.hpp"
// The linker sorts sections by name: our own state, the learner's shared variables, and a pad for what runs past them.
static __thread gpu_thread_state gpu_state __attribute__((section(".tbss.0gpu_state")));
static __thread char gpu_shared_pad[gpu_pad_bytes] __attribute__((used, section(".tbss.zzzzzzzz_gpu_pad")));
// One for all threads, who know their schedulers: a barrier asks for nothing thread-local, which would take a call.
static const gpu_host_calls* gpu_calls;
#define threadIdx ((const uint3&)gpu_state.thread)
#define blockIdx ((const uint3&)gpu_state.block)
#define blockDim ((const uint3&)gpu_state.block_size)
#define gridDim ((const uint3&)gpu_state.grid_size)
GPU_INLINE void gpu_count_atomic() { ++gpu_state.atomics; }
#include "libgpu/raw.hpp"
// What libgpu/sync.hpp is made of; a mode has its own.
GPU_CONVERGENT void gpu_barrier(int line) { GPU_HOST(barrier)(nullptr, line); }
GPU_CONVERGENT unsigned gpu_barrier_count(unsigned predicate, int line) {
    return GPU_HOST(barrier_count)(nullptr, predicate, line);
}
GPU_CONVERGENT void gpu_part_barrier(unsigned barrier, unsigned threads, int line) {
    GPU_HOST(part_barrier)(nullptr, barrier, threads, line);
}
GPU_CONVERGENT bool gpu_grid_barrier(bool waits, int line) { return GPU_HOST(grid_barrier)(nullptr, waits, line); }
GPU_CONVERGENT unsigned long long gpu_warp_instruction(unsigned long long instruction, unsigned long long value,
                                                       int line) {
    return GPU_HOST(warp)(nullptr, instruction, value, line);
}
GPU_CONVERGENT unsigned gpu_active_lanes(int line) { return GPU_HOST(active_lanes)(nullptr, line); }
GPU_CONVERGENT void gpu_yield() { GPU_HOST(yield)(nullptr); }
#include "libgpu/sync.hpp"

template <class... P, void (*Kernel)(P...)> struct gpu_raw<Kernel> : gpu_parameters<P...> {
    static constexpr int count = sizeof...(P);
    template <unsigned... I> GPU_INLINE static void call(void* const* arguments, gpu_list<I...>) {
        Kernel(*(P*)arguments[I]...);
    }
    static void thread(void* const* arguments) { call(arguments, typename gpu_count<count>::type()); }
    static gpu_thread_state* state() { return &gpu_state; }
    static char* pad() { return gpu_shared_pad; }
    static constexpr gpu_module gpu_describe(const char* name, const char* names, const char* others) {
        return {GPU_ABI, gpu_module_fiber, name, gpu_parameters<P...>::list, count, names, others, nullptr, nullptr,
                state, thread, nullptr, 0, nullptr, nullptr, nullptr, nullptr, &gpu_calls, pad};
    }
};
)gpu";

// malloc(), free(), new and delete of kernels: a heap of libgpu's own, never the process's.

const char heap[] = R"gpu(
#pragma GCC system_header
#pragma once
#ifdef GPU_CHECKED
GPU_UNCHECKED static void* gpu_heap_allocate(unsigned long long bytes) {
    return GPU_CHECK(allocate)(bytes, __builtin_return_address(0));
}
GPU_UNCHECKED static bool gpu_heap_release(void* data, int line) {
    return GPU_CHECK(release)(data, line, __builtin_return_address(0));
}
#else
GPU_INLINE void* gpu_heap_allocate(unsigned long long bytes) { return GPU_HOST(allocate)(bytes); }
GPU_INLINE bool gpu_heap_release(void* data, int) { return GPU_HOST(release)(data); }
#endif
// C++ functions, with names of their own for the linker.
GPU_INLINE void* malloc(size_t bytes) { return gpu_heap_allocate(bytes); }
GPU_INLINE void free(void* data, int line = __builtin_LINE(), const char* file = __builtin_FILE()) {
    if (!gpu_heap_release(data, line))
        gpu_fail("free() of an address that malloc() didn't give, or that was freed before", file, line, threadIdx);
}
GPU_INLINE void gpu_heap_delete(void* data) {
    if (!gpu_heap_release(data, 0))
        gpu_fail("delete of an address that new didn't give, or that was freed before; gpu::check says which line does",
                 nullptr, 0, threadIdx);
}
#define GPU_HEAP
#if defined(__clang__)
#define GPU_HEAP_OPERATOR GPU_INLINE
// clang takes no other exception specification, and so it that new gives an address.
GPU_INLINE void* gpu_heap_new(size_t bytes, int line = __builtin_LINE(), const char* file = __builtin_FILE()) {
    void* const data = gpu_heap_allocate(bytes);
    if (data == nullptr) gpu_fail("new: the kernels' heap of 8 MB has not enough left", file, line, threadIdx);
    return data;
}
GPU_HEAP_OPERATOR void* operator new(size_t bytes) { return gpu_heap_new(bytes); }
GPU_HEAP_OPERATOR void* operator new[](size_t bytes) { return gpu_heap_new(bytes); }
#else
#define GPU_HEAP_OPERATOR __attribute__((visibility("hidden"))) GPU_INLINE
GPU_HEAP_OPERATOR void* operator new(size_t bytes) noexcept { return gpu_heap_allocate(bytes); }
GPU_HEAP_OPERATOR void* operator new[](size_t bytes) noexcept { return gpu_heap_allocate(bytes); }
#endif
GPU_HEAP_OPERATOR void operator delete(void* data) noexcept { gpu_heap_delete(data); }
GPU_HEAP_OPERATOR void operator delete[](void* data) noexcept { gpu_heap_delete(data); }
GPU_HEAP_OPERATOR void operator delete(void* data, size_t) noexcept { gpu_heap_delete(data); }
GPU_HEAP_OPERATOR void operator delete[](void* data, size_t) noexcept { gpu_heap_delete(data); }
#undef GPU_HEAP_OPERATOR
)gpu";

}  // namespace gpu::detail::host::text

// The last file of the prelude before the learner's text. From here on a kernel can neither ask whether check mode
// compiles it nor leave itself out: the compiler refuses the words for that, however macros put them together. Macros
// that were defined before may still hold them. So it is with the host compiler's atomics, and with what of it
// stores to memory unseen.
namespace gpu::detail::host {

namespace {

constexpr const char* words = R"gpu(
#pragma GCC system_header
#undef __SANITIZE_THREAD__
#undef __SANITIZE_ADDRESS__
#undef __CET__
#undef __has_feature
#undef __has_extension
#undef GPU_CHECKED
#undef GPU_UNCHECKED
#undef GPU_RUNTIME
#define gpu_at_dynamic_shared __asm__("gpu_dynamic_shared")
#pragma GCC poison no_sanitize __no_sanitize__ no_sanitize_thread __no_sanitize_thread__
#pragma GCC poison no_sanitize_address __no_sanitize_address__ no_sanitize_undefined __no_sanitize_undefined__
#pragma GCC poison no_address_safety_analysis __no_address_safety_analysis__
#pragma GCC poison no_instrument_function __no_instrument_function__ disable_sanitizer_instrumentation
#pragma GCC poison asm __asm __asm__ __has_include __has_include_next __has_embed
#pragma GCC poison GPU_CHECKED GPU_UNCHECKED GPU_RUNTIME gpu_checks gpu_check_calls gpu_checks_block_scope gpu_state
#pragma GCC poison gpu_state_address gpu_state_word gpu_any_argument gpu_argument_value gpu_local_begins_at
#pragma GCC poison gpu_large_argument gpu_raw
#pragma GCC poison gpu_calls gpu_host_calls gpu_thread_state GPU_HOST GPU_CHECK gpu_print
#pragma GCC poison gpu_frexp gpu_frexpf gpu_modf gpu_modff gpu_remquo gpu_remquof
#pragma GCC poison gpu_copy_value gpu_values_of_tiles gpu_skip_xorwow gpu_heap_allocate gpu_heap_release
#pragma GCC poison gpu_copy_later gpu_finish_copies gpu_tell_phase
#pragma GCC poison gpu_find_texels
// The compiler makes instructions of these that nobody is told of; of plain calls check mode is.
#define __builtin_memcpy memcpy
#define __builtin_memmove gpu_memmove
#define __builtin_memset memset
#pragma GCC poison __builtin___memcpy_chk __builtin___memmove_chk __builtin___memset_chk __builtin___mempcpy_chk
#pragma GCC poison __builtin_mempcpy __builtin_bcopy __builtin_bzero __builtin_strcpy __builtin_stpcpy
#pragma GCC poison __builtin_strncpy __builtin_stpncpy __builtin_strcat __builtin_strncat
#pragma GCC poison __builtin_frexp __builtin_frexpf __builtin_modf __builtin_modff __builtin_remquo
#pragma GCC poison __builtin_remquof __builtin_sincos __builtin_sincosf
)gpu";

// The host compiler's own atomics, which CUDA's doesn't know and nobody counts; each also with a size behind its name.
std::string atomics_of_the_host() {
    std::string text;
    const auto add = [&text](const std::string& name) {
        text += "#pragma GCC poison " + name;
        for (const char* const size : {"_1", "_2", "_4", "_8"}) text += " " + name + size;
        text += "\n";
    };
    for (const std::string operation : {"add", "sub", "or", "and", "xor", "nand"})
        for (const std::string& name : {"__sync_fetch_and_" + operation, "__sync_" + operation + "_and_fetch",
                                       "__atomic_fetch_" + operation, "__atomic_" + operation + "_fetch"})
            add(name);
    for (const char* const name : {"__sync_bool_compare_and_swap", "__sync_val_compare_and_swap",
                                   "__sync_lock_test_and_set", "__sync_lock_release"})
        add(name);
    for (const std::string name : {"load", "store", "exchange", "compare_exchange"}) {
        add("__atomic_" + name);
        text += "#pragma GCC poison __atomic_" + name + "_n\n";
    }
    return text;
}

// The doors to libgpu, of linked/check_object.cpp.
std::string doors() {
    std::string text = "#pragma GCC poison";
    for (const char* const name :
         {"barrier", "barrier_count", "warp", "fail", "print", "clock", "active_lanes", "yield", "part_barrier",
          "grid_barrier", "skip_xorwow", "copy_later", "end_copy_group", "next_copy", "texels"})
        text += std::string(" gpu_to_host_") + name;
    for (const char* const name : {"atomic_begins", "block_scope", "local_begins", "local_ends", "allocate", "release",
                                   "copy_begins", "copy_ends", "barrier_phase"})
        text += std::string(" gpu_to_check_") + name;
    return text + "\n";
}

}  // namespace

std::string sealed_words() { return words + atomics_of_the_host() + doors(); }

}  // namespace gpu::detail::host
