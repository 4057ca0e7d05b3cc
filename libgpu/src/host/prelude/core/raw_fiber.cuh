// SPDX-License-Identifier: MIT
// Fiber mode. Barriers are identified by line number, not return address: compilers duplicate calls.

#pragma GCC system_header
#include "libgpu/types.hpp"
#include "libgpu/vectors.hpp"
// The linker sorts sections by name: our own state, the learner's shared variables, and a pad for overruns.
static __thread gpu_thread_state gpu_state __attribute__((section(".tbss.0gpu_state")));
static __thread char gpu_shared_pad[gpu_pad_bytes] __attribute__((used, section(".tbss.zzzzzzzz_gpu_pad")));
// One for all threads; it finds the scheduler itself, so a barrier passes nothing thread-local, which would take a
// call.
static const gpu_host_calls* gpu_calls;
#define threadIdx ((const uint3&)gpu_state.thread)
#define blockIdx ((const uint3&)gpu_state.block)
#define blockDim ((const uint3&)gpu_state.block_size)
#define gridDim ((const uint3&)gpu_state.grid_size)
GPU_INLINE void gpu_count_atomic() { ++gpu_state.atomics; }
#include "libgpu/raw.hpp"
// The building blocks of libgpu/sync.hpp; each mode has its own.
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
