// SPDX-License-Identifier: MIT
// Kernels' malloc(), free(), new and delete: on libgpu's own heap, never the process's.

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
// clang accepts no other exception specification, and with it assumes that new returns an address.
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
