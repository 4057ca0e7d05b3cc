// SPDX-License-Identifier: MIT
// What checked kernels are linked with: the functions that a compiler calls with -fsanitize=thread,bounds, hidden in
// the kernel's object, so that a program that is itself built with a sanitizer doesn't notice. Compiled with libgpu,
// which holds the object as bytes (object_bytes.cpp): each kernel would compile these two hundred functions again.
#include "host/abi.hpp"

using namespace gpu::detail::host;

// They jump on, so that a call is one. The kernels must not: the place of a call is where it returns to.
#define GPU_SHIM extern "C" __attribute__((visibility("hidden")))
#define GPU_SITE __builtin_return_address(0)

// libgpu fills it in when the kernel is loaded; then its page, which it has to itself, is for reading alone.
#if defined(__aarch64__)
#define GPU_PAGE 65536
#else
#define GPU_PAGE 4096
#endif
struct alignas(GPU_PAGE) PageOfCalls : gpu_check_calls {};
extern "C" {
__attribute__((visibility("hidden"))) PageOfCalls gpu_checks;
}

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
GPU_SHIM void __tsan_func_exit() { gpu_checks.range(nullptr, 0, false, GPU_SITE); }  // for a debugger alone
GPU_SHIM void __tsan_init() {}
GPU_SHIM void __tsan_vptr_read(void**) {}
GPU_SHIM void __tsan_vptr_update(void** p, void*) { gpu_checks.write[3](p, GPU_SITE); }
// clang copies structures by these, and the kernels' own calls come here too.
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
