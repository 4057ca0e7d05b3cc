// SPDX-License-Identifier: MIT
// Linked into checked kernels: the functions that a compiler calls with -fsanitize=thread,bounds, hidden in the
// kernel's object, so that a program that is itself built with a sanitizer isn't affected. Compiled together with
// libgpu, which contains the object as bytes (object_bytes.cpp): otherwise each kernel would compile these two hundred
// functions again.
#include "host/prelude/linked/page_of_calls.hpp"

using namespace gpu::detail::host;

// They jump on, so that the call takes only one. The kernels' calls must not become jumps: a call's place is its return
// address.
#define GPU_SHIM extern "C" __attribute__((visibility("hidden")))
#define GPU_SITE __builtin_return_address(0)

#if defined(__aarch64__)
#define GPU_PAGE 65536
#else
#define GPU_PAGE 4096
#endif
struct alignas(GPU_PAGE) WholePage : PageOfCalls {};
extern "C" {
__attribute__((visibility("hidden"))) WholePage gpu_checks;
}

// A call through a pointer gets here: it may only go to the beginning of a function of the kernel's own, which the
// compiler marks with an endbr64. Otherwise it goes to address 0. Nothing else in the code has that mark (native_code).
#if defined(__x86_64__)
static_assert(__builtin_offsetof(gpu_check_calls, code_bytes) == 8);
#define GPU_THUNK(name, jump) \
    __asm__(".pushsection .text\n.globl __x86_indirect_thunk_" #name "\n.hidden __x86_indirect_thunk_" #name "\n" \
            "__x86_indirect_thunk_" #name ":\n" jump "\n.popsection");
#define GPU_THUNK_OF(name) GPU_THUNK(name, "mov %" #name ", %r11\n jmp __x86_indirect_thunk_r11")
GPU_THUNK(r11, "mov %r11, %r10\n sub gpu_checks(%rip), %r10\n cmp gpu_checks+8(%rip), %r10\n jae 1f\n"
               "mov (%r11), %r10d\n not %r10d\n cmp $0x05e1f00c, %r10d\n je 2f\n 1: xor %r11d, %r11d\n 2: jmp *%r11")
GPU_THUNK_OF(rax) GPU_THUNK_OF(rbx) GPU_THUNK_OF(rcx) GPU_THUNK_OF(rdx) GPU_THUNK_OF(rsi) GPU_THUNK_OF(rdi)
GPU_THUNK_OF(rbp) GPU_THUNK_OF(r8) GPU_THUNK_OF(r9) GPU_THUNK_OF(r10) GPU_THUNK_OF(r12) GPU_THUNK_OF(r13)
GPU_THUNK_OF(r14) GPU_THUNK_OF(r15)
#undef GPU_THUNK_OF
#undef GPU_THUNK
// The prelude's calls into libgpu: pass all arguments unchanged to the function in the table.
#define GPU_DOOR(table, name, code) \
    GPU_SHIM __attribute__((naked)) void gpu_to_##table##_##name() { \
        __asm__(code :: "i"(sizeof(gpu_check_calls)), "i"(__builtin_offsetof(gpu_##table##_calls, name))); \
    }
#define GPU_HOST_DOOR(name) GPU_DOOR(host, name, "mov gpu_checks+%c0(%%rip), %%r11\n\tjmp *%c1(%%r11)")
#define GPU_CHECK_DOOR(name) GPU_DOOR(check, name, "jmp *gpu_checks+%c1(%%rip)")
GPU_HOST_DOOR(barrier) GPU_HOST_DOOR(barrier_count) GPU_HOST_DOOR(warp) GPU_HOST_DOOR(fail) GPU_HOST_DOOR(print)
GPU_HOST_DOOR(clock) GPU_HOST_DOOR(active_lanes) GPU_HOST_DOOR(yield) GPU_HOST_DOOR(part_barrier)
GPU_HOST_DOOR(grid_barrier) GPU_HOST_DOOR(skip_xorwow) GPU_HOST_DOOR(copy_later) GPU_HOST_DOOR(end_copy_group)
GPU_HOST_DOOR(next_copy) GPU_HOST_DOOR(texels)
GPU_CHECK_DOOR(atomic_begins) GPU_CHECK_DOOR(block_scope) GPU_CHECK_DOOR(local_begins) GPU_CHECK_DOOR(local_ends)
GPU_CHECK_DOOR(allocate) GPU_CHECK_DOOR(release) GPU_CHECK_DOOR(copy_begins) GPU_CHECK_DOOR(copy_ends)
GPU_CHECK_DOOR(barrier_phase)
#undef GPU_CHECK_DOOR
#undef GPU_HOST_DOOR
#undef GPU_DOOR
#endif

#define GPU_ACCESS(bytes, k) \
    GPU_SHIM void __tsan_read##bytes(void* p) { gpu_checks.read[k](p, GPU_SITE); } \
    GPU_SHIM void __tsan_write##bytes(void* p) { gpu_checks.write[k](p, GPU_SITE); } \
    GPU_SHIM void __tsan_volatile_read##bytes(void* p) { gpu_checks.volatile_read[k](p, GPU_SITE); } \
    GPU_SHIM void __tsan_volatile_write##bytes(void* p) { gpu_checks.volatile_write[k](p, GPU_SITE); }
GPU_ACCESS(1, 0) GPU_ACCESS(2, 1) GPU_ACCESS(4, 2) GPU_ACCESS(8, 3) GPU_ACCESS(16, 4)
#undef GPU_ACCESS
#define GPU_UNALIGNED(bytes) \
    GPU_SHIM void __tsan_unaligned_read##bytes(void* p) { gpu_checks.range(p, bytes, false, GPU_SITE); } \
    GPU_SHIM void __tsan_unaligned_write##bytes(void* p) { gpu_checks.range(p, bytes, true, GPU_SITE); } \
    GPU_SHIM void __tsan_unaligned_volatile_read##bytes(void* p) { gpu_checks.range(p, bytes, false, GPU_SITE); } \
    GPU_SHIM void __tsan_unaligned_volatile_write##bytes(void* p) { gpu_checks.range(p, bytes, true, GPU_SITE); }
GPU_UNALIGNED(2) GPU_UNALIGNED(4) GPU_UNALIGNED(8) GPU_UNALIGNED(16)
#undef GPU_UNALIGNED
GPU_SHIM void __tsan_read_range(void* p, unsigned long n) { gpu_checks.range(p, n, false, GPU_SITE); }
GPU_SHIM void __tsan_write_range(void* p, unsigned long n) { gpu_checks.range(p, n, true, GPU_SITE); }
#define GPU_ATOMIC_OPERATION(bits, T, name, operation) \
    GPU_SHIM T __tsan_atomic##bits##_##name(volatile T* p, T v, int) { \
        return (T)gpu_checks.atomic(operation, (void*)p, sizeof(T), v, 0, GPU_SITE); \
    }
#define GPU_ATOMIC_CAS(bits, T, name) \
    GPU_SHIM int __tsan_atomic##bits##_##name(volatile T* p, T* expected, T v, int, int) { \
        const T wanted = *expected; \
        const T found = (T)gpu_checks.atomic(gpu_check_cas, (void*)p, sizeof(T), v, wanted, GPU_SITE); \
        *expected = found; \
        return found == wanted; \
    }
#define GPU_ATOMICS(bits, T) \
    GPU_SHIM T __tsan_atomic##bits##_load(const volatile T* p, int) { \
        return (T)gpu_checks.atomic(gpu_check_load, (void*)p, sizeof(T), 0, 0, GPU_SITE); \
    } \
    GPU_SHIM void __tsan_atomic##bits##_store(volatile T* p, T v, int) { \
        gpu_checks.atomic(gpu_check_store, (void*)p, sizeof(T), v, 0, GPU_SITE); \
    } \
    GPU_SHIM T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T v, int, int) { \
        return (T)gpu_checks.atomic(gpu_check_cas, (void*)p, sizeof(T), v, expected, GPU_SITE); \
    } \
    GPU_ATOMIC_CAS(bits, T, compare_exchange_strong) GPU_ATOMIC_CAS(bits, T, compare_exchange_weak) \
    GPU_ATOMIC_OPERATION(bits, T, exchange, gpu_check_exchange) \
    GPU_ATOMIC_OPERATION(bits, T, fetch_add, gpu_check_add) \
    GPU_ATOMIC_OPERATION(bits, T, fetch_sub, gpu_check_sub) GPU_ATOMIC_OPERATION(bits, T, fetch_and, gpu_check_and) \
    GPU_ATOMIC_OPERATION(bits, T, fetch_or, gpu_check_or) GPU_ATOMIC_OPERATION(bits, T, fetch_xor, gpu_check_xor) \
    GPU_ATOMIC_OPERATION(bits, T, fetch_nand, gpu_check_nand)
GPU_ATOMICS(8, unsigned char) GPU_ATOMICS(16, unsigned short) GPU_ATOMICS(32, unsigned) GPU_ATOMICS(64, unsigned long)
#undef GPU_ATOMICS
#undef GPU_ATOMIC_CAS
#undef GPU_ATOMIC_OPERATION
GPU_SHIM void __tsan_atomic_thread_fence(int order) { gpu_checks.fence(order); }
GPU_SHIM void __tsan_atomic_signal_fence(int) {}
GPU_SHIM void __tsan_func_entry(void*) {}
GPU_SHIM void __tsan_func_exit() { gpu_checks.range(nullptr, 0, false, GPU_SITE); }  // for a debugger only
GPU_SHIM void __tsan_init() {}
GPU_SHIM void __tsan_vptr_read(void**) {}
GPU_SHIM void __tsan_vptr_update(void** p, void*) { gpu_checks.write[3](p, GPU_SITE); }
// clang copies structures with these, and the kernels' own calls get here, too.
GPU_SHIM void* memcpy(void* to, const void* from, unsigned long n) {
    gpu_checks.copy(to, from, n, GPU_SITE);
    return to;
}
GPU_SHIM void* memmove(void* to, const void* from, unsigned long n) {
    gpu_checks.copy(to, from, n, GPU_SITE);
    return to;
}
GPU_SHIM void* memset(void* to, int value, unsigned long n) {
    gpu_checks.fill(to, value, n, GPU_SITE);
    return to;
}
GPU_SHIM void* __tsan_memcpy(void* to, const void* from, unsigned long n) {
    gpu_checks.copy(to, from, n, GPU_SITE);
    return to;
}
GPU_SHIM void* __tsan_memmove(void* to, const void* from, unsigned long n) {
    gpu_checks.copy(to, from, n, GPU_SITE);
    return to;
}
GPU_SHIM void* __tsan_memset(void* to, int value, unsigned long n) {
    gpu_checks.fill(to, value, n, GPU_SITE);
    return to;
}
GPU_SHIM void __ubsan_handle_out_of_bounds(void* about, unsigned long index) {
    gpu_checks.out_of_bounds(about, index, GPU_SITE);
}
GPU_SHIM void __ubsan_handle_type_mismatch_v1(void* about, unsigned long p) {
    gpu_checks.misaligned(about, (void*)p, GPU_SITE);
}
GPU_SHIM void __ubsan_handle_shift_out_of_bounds(void* about, unsigned long, unsigned long by) {
    gpu_checks.shift(about, by, GPU_SITE);
}
GPU_SHIM void __ubsan_handle_divrem_overflow(void* about, unsigned long, unsigned long) {
    gpu_checks.division(about, GPU_SITE);
}
// The C library's functions with a second result: what they store is reported.
#define GPU_SECOND_RESULT(name, T, R, parameters, arguments, place) \
    extern "C" T name parameters; \
    GPU_SHIM T gpu_##name parameters { \
        gpu_checks.range(place, sizeof(R), true, GPU_SITE); \
        return name arguments; \
    }
GPU_SECOND_RESULT(frexp, double, int, (double x, int* n), (x, n), n)
GPU_SECOND_RESULT(frexpf, float, int, (float x, int* n), (x, n), n)
GPU_SECOND_RESULT(modf, double, double, (double x, double* n), (x, n), n)
GPU_SECOND_RESULT(modff, float, float, (float x, float* n), (x, n), n)
GPU_SECOND_RESULT(remquo, double, int, (double x, double y, int* n), (x, y, n), n)
GPU_SECOND_RESULT(remquof, float, int, (float x, float y, int* n), (x, y, n), n)
#undef GPU_SECOND_RESULT
// g++ merges a sine and a cosine into one call.
#define GPU_SINE_AND_COSINE(T, both, sine, cosine) \
    extern "C" T sine(T); \
    extern "C" T cosine(T); \
    GPU_SHIM void both(T x, T* s, T* c) { \
        gpu_checks.range(s, sizeof(T), true, GPU_SITE); \
        gpu_checks.range(c, sizeof(T), true, GPU_SITE); \
        *s = sine(x); \
        *c = cosine(x); \
    }
GPU_SINE_AND_COSINE(float, sincosf, sinf, cosf)
GPU_SINE_AND_COSINE(double, sincos, sin, cos)
#undef GPU_SINE_AND_COSINE
