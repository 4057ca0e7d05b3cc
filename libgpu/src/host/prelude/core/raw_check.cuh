// SPDX-License-Identifier: MIT
// Like raw_fiber, but everything that reads the thread's state is in unwatched functions. A thread's indices don't
// change while it runs: hence const, without which each use would be a call. On x86-64, they are read by an instruction
// that is opaque to the compiler.

#pragma GCC system_header
#include "libgpu/types.hpp"
#include "libgpu/vectors.hpp"
#define GPU_CHECKED 1
#include "libgpu/check.hpp"
static __thread gpu_thread_state gpu_state;
#define gpu_calls (gpu_state.calls)
#if defined(__x86_64__)
GPU_UNCHECKED __attribute__((const)) static const void* gpu_state_address() { return &gpu_state; }
template <unsigned Offset> GPU_INLINE unsigned gpu_state_word() {
    unsigned word;
    __asm__("movl %c2(%1), %0" : "=r"(word) : "r"(gpu_state_address()), "i"(Offset));
    return word;
}
#define GPU_INDEX(name) \
    GPU_INLINE uint3 gpu_##name() { \
        constexpr unsigned at = __builtin_offsetof(gpu_thread_state, name); \
        return {gpu_state_word<at>(), gpu_state_word<at + 4>(), gpu_state_word<at + 8>()}; \
    }
#else
#define GPU_INDEX(name) \
    GPU_UNCHECKED __attribute__((const)) static unsigned long long gpu_##name##_xy() { \
        return gpu_state.name.x | (unsigned long long)gpu_state.name.y << 32; \
    } \
    GPU_UNCHECKED __attribute__((const)) static unsigned gpu_##name##_z() { return gpu_state.name.z; } \
    GPU_INLINE uint3 gpu_##name() { \
        const unsigned long long xy = gpu_##name##_xy(); \
        return {(unsigned)xy, (unsigned)(xy >> 32), gpu_##name##_z()}; \
    }
#endif
GPU_INDEX(thread) GPU_INDEX(block) GPU_INDEX(block_size) GPU_INDEX(grid_size)
#undef GPU_INDEX
#define threadIdx (gpu_thread())
#define blockIdx (gpu_block())
#define blockDim (gpu_block_size())
#define gridDim (gpu_grid_size())
GPU_UNCHECKED static void gpu_count_atomic() {
    ++gpu_state.atomics;
    GPU_CHECK(atomic_begins)();
}
#define gpu_block_scope() gpu_checks_block_scope()
GPU_UNCHECKED static void gpu_checks_block_scope() { GPU_CHECK(block_scope)(); }
#include "libgpu/raw.hpp"
#if defined(__clang__)
#define GPU_CONVERGENT GPU_INLINE __attribute__((convergent))
#define GPU_RUNTIME GPU_UNCHECKED __attribute__((convergent)) static
#else
#define GPU_CONVERGENT GPU_INLINE
#define GPU_RUNTIME GPU_UNCHECKED static
#endif
GPU_RUNTIME void gpu_barrier(int line) { GPU_HOST(barrier)(gpu_state.scheduler, line); }
GPU_RUNTIME unsigned gpu_barrier_count(unsigned predicate, int line) {
    return GPU_HOST(barrier_count)(gpu_state.scheduler, predicate, line);
}
GPU_RUNTIME void gpu_part_barrier(unsigned barrier, unsigned threads, int line) {
    GPU_HOST(part_barrier)(gpu_state.scheduler, barrier, threads, line);
}
GPU_RUNTIME bool gpu_grid_barrier(bool waits, int line) {
    return GPU_HOST(grid_barrier)(gpu_state.scheduler, waits, line);
}
GPU_RUNTIME unsigned long long gpu_warp_instruction(unsigned long long instruction, unsigned long long value,
                                                    int line) {
    return GPU_HOST(warp)(gpu_state.scheduler, instruction, value, line);
}
GPU_RUNTIME unsigned gpu_active_lanes(int line) { return GPU_HOST(active_lanes)(gpu_state.scheduler, line); }
GPU_RUNTIME void gpu_yield() { GPU_HOST(yield)(gpu_state.scheduler); }
#include "libgpu/sync.hpp"

template <class P> GPU_UNCHECKED P gpu_any_argument(void* const* arguments, unsigned k) { return *(P*)arguments[k]; }
// By reference; otherwise clang would make three copies of it on the thread's stack.
template <class P> GPU_UNCHECKED const P& gpu_large_argument(void* const* arguments, unsigned k) {
    return *(const P*)arguments[k];
}
template <class P> GPU_INLINE decltype(auto) gpu_argument_value(void* const* arguments, unsigned k) {
    if constexpr (sizeof(P) > 16) {
        return gpu_large_argument<P>(arguments, k);
    } else
#if defined(__x86_64__)
    if constexpr (__is_trivially_copyable(P) && sizeof(P) == 8) {
        unsigned long long bits;
        __asm__("movq (%1), %0\n\tmovq (%0), %0" : "=&r"(bits) : "r"(arguments + k));
        return __builtin_bit_cast(P, bits);
    } else if constexpr (__is_trivially_copyable(P) && sizeof(P) == 4) {
        unsigned bits;
        __asm__("movq (%1), %q0\n\tmovl (%q0), %0" : "=&r"(bits) : "r"(arguments + k));
        return __builtin_bit_cast(P, bits);
    } else
#endif
        return gpu_any_argument<P>(arguments, k);
}
template <class... P, void (*Kernel)(P...)> struct gpu_raw<Kernel> : gpu_parameters<P...> {
    static constexpr int count = sizeof...(P);
    template <unsigned... I> GPU_INLINE static void call(void* const* arguments, gpu_list<I...>) {
        Kernel(gpu_argument_value<P>(arguments, I)...);
    }
    // The kernel's last atomic must not become a tail jump, or its site would be this function's return address.
    static void thread(void* const* arguments) {
        call(arguments, typename gpu_count<count>::type());
        asm volatile("" ::: "memory");
    }
    static gpu_thread_state* state() { return &gpu_state; }
    static constexpr gpu_module gpu_describe(const char* name, const char* names, const char* others) {
        return {GPU_ABI, gpu_module_fiber, name, gpu_parameters<P...>::list, count, names, others, nullptr, nullptr,
                state, thread, nullptr, 0, nullptr, nullptr, nullptr, &gpu_checks};
    }
};
