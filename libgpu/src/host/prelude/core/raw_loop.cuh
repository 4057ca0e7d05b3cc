// SPDX-License-Identifier: MIT
// Loop mode. The index variables are thread-local, never address-taken and const for the learner, so that they stay in
// registers. Without barriers, the threads of a correct kernel are unordered: hence GPU_INDEPENDENT.

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

// A thread's first access to thread-local memory allocates it. clang 14 assumes that AVX-512 registers survive that, so
// it happens in a separate call, before a kernel's arguments are in registers.
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
            *(volatile unsigned*)&call->block.x = block;  // a fault is reported with its block
            gpu_block.x = block;
            const unsigned base = block * width;
            for (unsigned z = begin.z; z < end.z; ++z)
                for (unsigned y = begin.y; y < end.y; ++y) {
                    gpu_thread.z = z, gpu_thread.y = y;
                    if (Small) {
                        // Loops over blockIdx.x * blockDim.x + threadIdx.x itself, as an int that can't overflow: so a
                        // guard such as if (i < n) becomes the end of the loop, and accesses at [i] become contiguous.
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
