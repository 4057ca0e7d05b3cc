// SPDX-License-Identifier: MIT
// Check mode's part of the prelude. The unit is compiled with -fsanitize=thread,bounds but linked without the
// sanitizers: what they would call is in linked/check_object.cpp.
#include "host/prelude/prelude.hpp"

namespace gpu::detail::host::text {

const char check[] = R"gpu(
#pragma GCC system_header
// Our own memory is invisible: functions that touch it are neither instrumented nor inlined, and no pointer calls them.
#if defined(__x86_64__)
#define GPU_CALLED_BY_NAME nocf_check
#else
#define GPU_CALLED_BY_NAME
#endif
#if defined(__clang__) && defined(GPU_DEBUGGED)
// no_sanitize alone leaves the calls at a function's begin and end, to what these functions themselves define.
#define GPU_UNCHECKED \
    __attribute__((noinline, GPU_CALLED_BY_NAME, no_sanitize("thread", "undefined"), disable_sanitizer_instrumentation))
#else
#define GPU_UNCHECKED __attribute__((noinline, GPU_CALLED_BY_NAME, no_sanitize("thread", "undefined")))
#endif
// In linked/check_object.cpp. There are the doors to libgpu, too: a kernel's own calls through pointers don't lead out.
extern "C" {
extern __attribute__((visibility("hidden"))) gpu_check_calls gpu_checks;
#if defined(__x86_64__)
#define GPU_DOOR(table, name) \
    extern __attribute__((visibility("hidden"))) \
        __typeof__(*((gpu_##table##_calls*)nullptr)->name) gpu_to_##table##_##name;
GPU_DOOR(host, barrier) GPU_DOOR(host, barrier_count) GPU_DOOR(host, warp) GPU_DOOR(host, fail) GPU_DOOR(host, print)
GPU_DOOR(host, clock) GPU_DOOR(host, active_lanes) GPU_DOOR(host, yield) GPU_DOOR(host, part_barrier)
GPU_DOOR(host, grid_barrier) GPU_DOOR(host, skip_xorwow) GPU_DOOR(host, copy_later) GPU_DOOR(host, end_copy_group)
GPU_DOOR(host, next_copy) GPU_DOOR(host, texels)
GPU_DOOR(check, atomic_begins) GPU_DOOR(check, block_scope) GPU_DOOR(check, local_begins) GPU_DOOR(check, local_ends)
GPU_DOOR(check, allocate) GPU_DOOR(check, release) GPU_DOOR(check, copy_begins) GPU_DOOR(check, copy_ends)
GPU_DOOR(check, barrier_phase)
#undef GPU_DOOR
#undef GPU_HOST
#define GPU_HOST(name) gpu_to_host_##name
#define GPU_CHECK(name) gpu_to_check_##name
#else
#define GPU_CHECK(name) gpu_checks.name
#endif
__attribute__((visibility("hidden"))) void* memcpy(void* to, const void* from, unsigned long n);
__attribute__((visibility("hidden"))) void* memmove(void* to, const void* from, unsigned long n);
__attribute__((visibility("hidden"))) void* memset(void* to, int value, unsigned long n);
}
// Behind a local variable's declaration. That its address is taken makes g++ tell its accesses; clang asks whether the
// element's is, and leaves most of them out. A constructor gives values.
#if defined(__clang__)
GPU_INLINE void gpu_local_ends(const void*) {}
template <class T> GPU_INLINE void gpu_local_begins(T&, const char*) {}
#else
GPU_UNCHECKED static void gpu_local_begins_at(const void* p, unsigned long size, unsigned element, unsigned columns,
                                              const char* name) {
    GPU_CHECK(local_begins)(p, size, element, columns, name);
}
GPU_UNCHECKED static void gpu_local_ends(const void* p) { GPU_CHECK(local_ends)(p); }
template <class T> struct gpu_local_element { typedef T type; };
template <class T, unsigned long N> struct gpu_local_element<T[N]> : gpu_local_element<T> {};
template <class T, unsigned long N> GPU_INLINE void gpu_local_begins(T (&array)[N], const char* name) {
    typedef typename gpu_local_element<T>::type E;
    if (__is_trivially_constructible(E))
        gpu_local_begins_at(array, sizeof(array), sizeof(E), sizeof(T) / sizeof(E), name);
}
template <class T> GPU_INLINE void gpu_local_begins(T& value, const char* name) {
    if (__is_trivially_constructible(T)) gpu_local_begins_at(&value, sizeof(T), sizeof(T), 0, name);
}
#endif
)gpu";

// As raw_fiber, but all that reads the thread's state is behind unwatched functions. A thread's indices don't change
// while it runs: hence const, without which each use would be a call. On x86-64 an instruction reads them that the
// compiler doesn't look into.
const char raw_check[] = R"gpu(
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
// By reference, or clang would make three copies of it on the thread's stack.
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
    // The kernel's last atomic must not become a jump, or its site would be the place that this returns to.
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
)gpu";

}  // namespace gpu::detail::host::text
