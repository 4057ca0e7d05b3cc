// SPDX-License-Identifier: MIT
// Check mode's part of the prelude. The unit is compiled with -fsanitize=thread,bounds but linked without the
// sanitizers: what they would call is in linked/check_object.cpp.

#pragma GCC system_header
// Our own memory is invisible: functions that access it are neither instrumented nor inlined, and can't be called
// through pointers.
#if defined(__x86_64__)
#define GPU_CALLED_BY_NAME nocf_check
#else
#define GPU_CALLED_BY_NAME
#endif
#if defined(__clang__) && defined(GPU_DEBUGGED)
// no_sanitize alone keeps the calls at a function's begin and end, also in the functions that define those.
#define GPU_UNCHECKED \
    __attribute__((noinline, GPU_CALLED_BY_NAME, no_sanitize("thread", "undefined"), disable_sanitizer_instrumentation))
#else
#define GPU_UNCHECKED __attribute__((noinline, GPU_CALLED_BY_NAME, no_sanitize("thread", "undefined")))
#endif
// In linked/check_object.cpp, which also has the entry points to libgpu: a kernel's own calls through pointers can't
// get out.
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
// Placed after a local variable's declaration. Taking its address makes g++ report its accesses; clang checks whether
// the element's address is taken, and omits most of them. A constructor initialises.
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
