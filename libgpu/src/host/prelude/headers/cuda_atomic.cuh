// SPDX-License-Identifier: MIT
// <cuda/atomic> and <cuda/std/atomic>: objects of 1 to 8 bytes, with scopes and orders. Check mode recognises orders by
// fences: a releasing order has one before the operation, an acquiring order one after it.

#pragma GCC system_header
#pragma once
#include "libgpu/cuda_std_types.hpp"
#ifdef GPU_CHECKED
#define GPU_ORDER(order) __ATOMIC_RELAXED
#else
#define GPU_ORDER(order) (order)
#endif
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
namespace std {
enum memory_order {
    memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel,
    memory_order_seq_cst
};
}  // namespace std
using std::memory_order; using std::memory_order_relaxed; using std::memory_order_consume;
using std::memory_order_acquire; using std::memory_order_release; using std::memory_order_acq_rel;
using std::memory_order_seq_cst;

GPU_INLINE constexpr bool gpu_is_of_block(thread_scope scope) { return scope >= thread_scope_block; }
template <thread_scope Scope> GPU_INLINE void gpu_fence() {
    if (gpu_is_of_block(Scope)) __threadfence_block(); else __threadfence();
}
GPU_INLINE void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
    if (order == memory_order_relaxed) return;
#ifdef GPU_CHECKED
    if (gpu_is_of_block(scope)) __threadfence_block(); else __threadfence();
#else
    __atomic_thread_fence(order);
#endif
}
namespace std {
GPU_INLINE void atomic_thread_fence(memory_order order) { cuda::atomic_thread_fence(order); }
}

template <unsigned long Bytes> struct gpu_bits_of {};
template <> struct gpu_bits_of<1> { typedef unsigned char __attribute__((may_alias)) type; };
template <> struct gpu_bits_of<2> { typedef unsigned short __attribute__((may_alias)) type; };
template <> struct gpu_bits_of<4> { typedef unsigned __attribute__((may_alias)) type; };
template <> struct gpu_bits_of<8> { typedef unsigned long __attribute__((may_alias)) type; };
template <class T> struct gpu_atomic_step { typedef T type; static constexpr long size = 1; };
template <class T> struct gpu_atomic_step<T*> { typedef ptrdiff_t type; static constexpr long size = sizeof(T); };

// The common part of an atomic and a reference; D says where the object is.
template <class D, class T, thread_scope Scope> struct gpu_atomic_operations {
    static_assert(__is_trivially_copyable(T), "an atomic object is copied as bits");
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                  "the host backend has atomics of 1, 2, 4 and 8 bytes");
    typedef T value_type;
    typedef typename gpu_atomic_step<T>::type gpu_step;
    typedef typename gpu_bits_of<sizeof(T)>::type gpu_bits;
    static constexpr bool is_always_lock_free = true;
    GPU_INLINE bool is_lock_free() const noexcept { return true; }

    GPU_INLINE T load(memory_order order = memory_order_seq_cst) const noexcept {
        gpu_begins(order == memory_order_seq_cst);
        const gpu_bits found = __atomic_load_n((const gpu_bits*)gpu_place(), GPU_ORDER(order));
        gpu_ends(order);
        return __builtin_bit_cast(T, found);
    }
    GPU_INLINE void store(T value, memory_order order = memory_order_seq_cst) const noexcept {
        gpu_begins(order >= memory_order_release);
        __atomic_store_n((gpu_bits*)gpu_place(), __builtin_bit_cast(gpu_bits, value), GPU_ORDER(order));
        if (order == memory_order_seq_cst) gpu_ends(order);
    }
    GPU_INLINE T exchange(T value, memory_order order = memory_order_seq_cst) const noexcept {
        gpu_begins(order >= memory_order_release);
        const gpu_bits found =
            __atomic_exchange_n((gpu_bits*)gpu_place(), __builtin_bit_cast(gpu_bits, value), GPU_ORDER(order));
        gpu_ends(order);
        return __builtin_bit_cast(T, found);
    }
    GPU_INLINE bool compare_exchange_strong(T& expected, T value, memory_order order,
                                            memory_order failure) const noexcept {
        gpu_begins(order >= memory_order_release);
        gpu_bits wanted = __builtin_bit_cast(gpu_bits, expected);
        const bool done = __atomic_compare_exchange_n((gpu_bits*)gpu_place(), &wanted,
                                                      __builtin_bit_cast(gpu_bits, value), false, GPU_ORDER(order),
                                                      GPU_ORDER(failure));
        gpu_ends(done ? order : failure);
        if (!done) expected = __builtin_bit_cast(T, wanted);
        return done;
    }
    GPU_INLINE bool compare_exchange_strong(T& expected, T value,
                                            memory_order order = memory_order_seq_cst) const noexcept {
        return compare_exchange_strong(expected, value, order,
                                       order == memory_order_acq_rel   ? memory_order_acquire
                                       : order == memory_order_release ? memory_order_relaxed
                                                                       : order);
    }
    GPU_INLINE bool compare_exchange_weak(T& expected, T value, memory_order order,
                                          memory_order failure) const noexcept {
        return compare_exchange_strong(expected, value, order, failure);
    }
    GPU_INLINE bool compare_exchange_weak(T& expected, T value,
                                          memory_order order = memory_order_seq_cst) const noexcept {
        return compare_exchange_strong(expected, value, order);
    }
#define GPU_ATOMIC_FETCH(name, builtin, S, bits_of_value, new_value, condition) \
    GPU_INLINE T name(S value, memory_order order = memory_order_seq_cst) const noexcept { \
        static_assert(condition, #name "() isn't defined for this type"); \
        gpu_begins(order >= memory_order_release); \
        gpu_bits found; \
        if constexpr (gpu_is_whole) found = builtin((gpu_bits*)gpu_place(), bits_of_value, GPU_ORDER(order)); \
        else found = gpu_update([value](T old) -> T { return new_value; }, order); \
        gpu_ends(order); \
        return __builtin_bit_cast(T, found); \
    }
    static constexpr bool gpu_is_whole = gpu_is_integer<T>::value || std::is_pointer<T>::value;
    static constexpr bool gpu_is_number = gpu_is_whole || std::is_floating_point<T>::value;
    GPU_ATOMIC_FETCH(fetch_add, __atomic_fetch_add, gpu_step, (gpu_bits)value * gpu_atomic_step<T>::size, old + value,
                     gpu_is_number)
    GPU_ATOMIC_FETCH(fetch_sub, __atomic_fetch_sub, gpu_step, (gpu_bits)value * gpu_atomic_step<T>::size, old - value,
                     gpu_is_number)
    GPU_ATOMIC_FETCH(fetch_and, __atomic_fetch_and, T, (gpu_bits)value, old, gpu_is_integer<T>::value)
    GPU_ATOMIC_FETCH(fetch_or, __atomic_fetch_or, T, (gpu_bits)value, old, gpu_is_integer<T>::value)
    GPU_ATOMIC_FETCH(fetch_xor, __atomic_fetch_xor, T, (gpu_bits)value, old, gpu_is_integer<T>::value)
#undef GPU_ATOMIC_FETCH
    GPU_INLINE T fetch_min(T value, memory_order order = memory_order_seq_cst) const noexcept {
        gpu_begins(order >= memory_order_release);
        const gpu_bits found = gpu_update([value](T old) -> T { return value < old ? value : old; }, order);
        gpu_ends(order);
        return __builtin_bit_cast(T, found);
    }
    GPU_INLINE T fetch_max(T value, memory_order order = memory_order_seq_cst) const noexcept {
        gpu_begins(order >= memory_order_release);
        const gpu_bits found = gpu_update([value](T old) -> T { return old < value ? value : old; }, order);
        gpu_ends(order);
        return __builtin_bit_cast(T, found);
    }
    GPU_INLINE operator T() const noexcept { return load(); }
    GPU_INLINE T operator++() const noexcept { return fetch_add(1) + 1; }
    GPU_INLINE T operator++(int) const noexcept { return fetch_add(1); }
    GPU_INLINE T operator--() const noexcept { return fetch_sub(1) - 1; }
    GPU_INLINE T operator--(int) const noexcept { return fetch_sub(1); }
    GPU_INLINE T operator+=(gpu_step value) const noexcept { return fetch_add(value) + value; }
    GPU_INLINE T operator-=(gpu_step value) const noexcept { return fetch_sub(value) - value; }
    GPU_INLINE T operator&=(T value) const noexcept { return fetch_and(value) & value; }
    GPU_INLINE T operator|=(T value) const noexcept { return fetch_or(value) | value; }
    GPU_INLINE T operator^=(T value) const noexcept { return fetch_xor(value) ^ value; }
#ifdef GPU_LINE
    // A waiting thread lets the others run, so no notification is needed.
    GPU_INLINE void wait(T old, memory_order order = memory_order_seq_cst) const noexcept {
        while (__builtin_bit_cast(gpu_bits, load(order)) == __builtin_bit_cast(gpu_bits, old)) gpu_yield();
    }
#endif
    GPU_INLINE void notify_one() const noexcept {}
    GPU_INLINE void notify_all() const noexcept {}

private:
    GPU_INLINE T* gpu_place() const noexcept { return static_cast<const D*>(this)->gpu_address(); }
    GPU_INLINE static void gpu_begins(bool releases) noexcept {
#ifdef GPU_CHECKED
        if (releases) gpu_fence<Scope>();
        if (gpu_is_of_block(Scope)) gpu_block_scope();
#endif
        gpu_count_atomic();
    }
    GPU_INLINE static void gpu_ends(memory_order order) noexcept {
#ifdef GPU_CHECKED
        if (order != memory_order_relaxed && order != memory_order_release) gpu_fence<Scope>();
#endif
    }
    template <class F> GPU_INLINE gpu_bits gpu_update(F new_value, memory_order order) const noexcept {
        gpu_bits* const place = (gpu_bits*)gpu_place();
        gpu_bits old = __atomic_load_n(place, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(
            place, &old, __builtin_bit_cast(gpu_bits, new_value(__builtin_bit_cast(T, old))), true, GPU_ORDER(order),
            __ATOMIC_RELAXED)) {}
        return old;
    }
};

template <class T, thread_scope Scope = thread_scope_system>
struct atomic : gpu_atomic_operations<atomic<T, Scope>, T, Scope> {
    atomic() noexcept = default;
    constexpr atomic(T value) noexcept : gpu_value(value) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;
    GPU_INLINE T operator=(T value) noexcept {
        this->store(value);
        return value;
    }
    GPU_INLINE T* gpu_address() const noexcept { return const_cast<T*>(&gpu_value); }
private:
    T gpu_value;
};
template <class T, thread_scope Scope = thread_scope_system>
struct atomic_ref : gpu_atomic_operations<atomic_ref<T, Scope>, T, Scope> {
    static constexpr size_t required_alignment = sizeof(T);
    GPU_INLINE explicit atomic_ref(T& value) noexcept : gpu_value(&value) {}
    GPU_INLINE atomic_ref(const atomic_ref& other) noexcept : gpu_value(other.gpu_value) {}
    atomic_ref& operator=(const atomic_ref&) = delete;
    GPU_INLINE T operator=(T value) const noexcept {
        this->store(value);
        return value;
    }
    GPU_INLINE T* gpu_address() const noexcept { return gpu_value; }
private:
    T* gpu_value;
};
template <thread_scope Scope = thread_scope_system> struct gpu_flag {
    gpu_flag() noexcept = default;
    constexpr gpu_flag(bool value) noexcept : gpu_value(value) {}
    GPU_INLINE bool test(memory_order order = memory_order_seq_cst) const noexcept {
        return gpu_value.load(order) != 0;
    }
    GPU_INLINE bool test_and_set(memory_order order = memory_order_seq_cst) noexcept {
        return gpu_value.exchange(1, order) != 0;
    }
    GPU_INLINE void clear(memory_order order = memory_order_seq_cst) noexcept { gpu_value.store(0, order); }
private:
    cuda::atomic<int, Scope> gpu_value;
};
namespace std {
using cuda::gpu_flag;
template <class T> struct atomic : cuda::atomic<T> {
    atomic() noexcept = default;
    constexpr atomic(T value) noexcept : cuda::atomic<T>(value) {}
    using cuda::atomic<T>::operator=;
};
template <class T> struct atomic_ref : cuda::atomic_ref<T> {
    GPU_INLINE explicit atomic_ref(T& value) noexcept : cuda::atomic_ref<T>(value) {}
    using cuda::atomic_ref<T>::operator=;
};
typedef gpu_flag<> atomic_flag;
typedef atomic<bool> atomic_bool;
typedef atomic<int> atomic_int;
typedef atomic<unsigned> atomic_uint;
typedef atomic<long> atomic_long;
typedef atomic<unsigned long> atomic_ulong;
typedef atomic<long long> atomic_llong;
typedef atomic<unsigned long long> atomic_ullong;
}  // namespace std
}  // namespace cuda
#undef GPU_ORDER
