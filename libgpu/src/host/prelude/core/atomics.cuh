// SPDX-License-Identifier: MIT
// CUDA's atomic functions and fences. Relaxed, as on a GPU; each execution is counted.

#pragma GCC system_header
// gpu_count_atomic() comes from the mode's own file.
// The overloads are CUDA's: there is no 64-bit atomicSub, no atomicAdd of long long, and none for long.
#define GPU_ATOMIC(name, T, builtin) \
    GPU_INLINE T name(T* p, T v) { gpu_count_atomic(); return builtin(p, v, __ATOMIC_RELAXED); }
#define GPU_ATOMIC_ALL(T) \
    GPU_ATOMIC(atomicAnd, T, __atomic_fetch_and) GPU_ATOMIC(atomicOr, T, __atomic_fetch_or) \
    GPU_ATOMIC(atomicXor, T, __atomic_fetch_xor) \
    GPU_INLINE T atomicMin(T* p, T v) { \
        gpu_count_atomic(); \
        T old = __atomic_load_n(p, __ATOMIC_RELAXED); \
        while (v < old && !__atomic_compare_exchange_n(p, &old, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {} \
        return old; \
    } \
    GPU_INLINE T atomicMax(T* p, T v) { \
        gpu_count_atomic(); \
        T old = __atomic_load_n(p, __ATOMIC_RELAXED); \
        while (old < v && !__atomic_compare_exchange_n(p, &old, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {} \
        return old; \
    }
#define GPU_ATOMIC_CAS(T) \
    GPU_INLINE T atomicCAS(T* p, T expected, T v) { \
        gpu_count_atomic(); \
        __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        return expected; \
    }
#define GPU_ATOMIC_ADD(T) \
    GPU_ATOMIC(atomicAdd, T, __atomic_fetch_add) GPU_ATOMIC(atomicExch, T, __atomic_exchange_n) GPU_ATOMIC_CAS(T)
GPU_ATOMIC_ALL(int) GPU_ATOMIC_ALL(unsigned) GPU_ATOMIC_ALL(long long) GPU_ATOMIC_ALL(unsigned long long)
GPU_ATOMIC_ADD(int) GPU_ATOMIC_ADD(unsigned) GPU_ATOMIC_ADD(unsigned long long)
GPU_ATOMIC(atomicSub, int, __atomic_fetch_sub) GPU_ATOMIC(atomicSub, unsigned, __atomic_fetch_sub)
GPU_ATOMIC_CAS(unsigned short)
#undef GPU_ATOMIC
#undef GPU_ATOMIC_ALL
#undef GPU_ATOMIC_CAS
#undef GPU_ATOMIC_ADD
#define GPU_ATOMIC_FLOAT(T, I) \
    GPU_INLINE T atomicAdd(T* p, T v) { \
        gpu_count_atomic(); \
        T old, sum; \
        __atomic_load(p, &old, __ATOMIC_RELAXED); \
        do sum = old + v; while (!__atomic_compare_exchange((I*)p, (I*)&old, (I*)&sum, true, \
                                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED)); \
        return old; \
    }
typedef int __attribute__((may_alias)) gpu_int_bits;
typedef long long __attribute__((may_alias)) gpu_long_bits;
GPU_ATOMIC_FLOAT(float, gpu_int_bits) GPU_ATOMIC_FLOAT(double, gpu_long_bits)
#undef GPU_ATOMIC_FLOAT
GPU_INLINE float atomicExch(float* p, float v) {
    gpu_count_atomic();
    float old;
    __atomic_exchange(p, &v, &old, __ATOMIC_RELAXED);
    return old;
}
GPU_INLINE unsigned atomicInc(unsigned* p, unsigned limit) {
    gpu_count_atomic();
    unsigned old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, old >= limit ? 0u : old + 1u, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    return old;
}
GPU_INLINE unsigned atomicDec(unsigned* p, unsigned limit) {
    gpu_count_atomic();
    unsigned old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, old == 0u || old > limit ? limit : old - 1u, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    return old;
}
// Only check mode distinguishes scopes.
#ifndef gpu_block_scope
#define gpu_block_scope()
#endif
#define GPU_ATOMIC_SCOPES(f) \
    template <class... A> GPU_INLINE auto f##_block(A... a) -> decltype(f(a...)) { \
        gpu_block_scope(); \
        return f(a...); \
    } \
    template <class... A> GPU_INLINE auto f##_system(A... a) -> decltype(f(a...)) { return f(a...); }
GPU_ATOMIC_SCOPES(atomicAdd) GPU_ATOMIC_SCOPES(atomicSub) GPU_ATOMIC_SCOPES(atomicExch) GPU_ATOMIC_SCOPES(atomicMin)
GPU_ATOMIC_SCOPES(atomicMax) GPU_ATOMIC_SCOPES(atomicInc) GPU_ATOMIC_SCOPES(atomicDec) GPU_ATOMIC_SCOPES(atomicCAS)
GPU_ATOMIC_SCOPES(atomicAnd) GPU_ATOMIC_SCOPES(atomicOr) GPU_ATOMIC_SCOPES(atomicXor)
#undef GPU_ATOMIC_SCOPES
GPU_INLINE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
GPU_INLINE void __threadfence_block() { __atomic_thread_fence(__ATOMIC_ACQ_REL); }  // check mode recognises it by this
GPU_INLINE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
template <class T> GPU_INLINE T __ldg(const T* p) { return *p; }
