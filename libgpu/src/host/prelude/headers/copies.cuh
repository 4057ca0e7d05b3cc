// SPDX-License-Identifier: MIT
// Asynchronous copies: the pipeline primitives of <cuda_pipeline.h>. A copy is performed by the wait that covers it,
// see PendingCopies. A finding gives the line of the call: it is stored with the copy, which no instrumented code
// performs.

#pragma GCC system_header
#pragma once
#ifdef GPU_CHECKED
GPU_UNCHECKED inline void gpu_copy_later(void* to, const void* from, unsigned long bytes, unsigned long zeros,
                                         unsigned align, const void* barrier, unsigned phase, int line) {
    gpu_copy copy = {to, from, bytes, zeros, __builtin_return_address(0), line, align, 0};
    GPU_CHECK(copy_begins)(&copy);
    GPU_HOST(copy_later)(&copy, barrier, phase);
}
GPU_UNCHECKED inline void gpu_tell_phase(const void* barrier, unsigned phase, bool waited) {
    GPU_CHECK(barrier_phase)(barrier, phase, waited);
}
GPU_UNCHECKED inline void gpu_end_copy_group() { GPU_HOST(end_copy_group)(); }
// True if there were any.
GPU_UNCHECKED inline bool gpu_finish_copies(const void* barrier, unsigned last) {
    bool any = false;
    for (gpu_copy copy; GPU_HOST(next_copy)(&copy, barrier, last); any = true) GPU_CHECK(copy_ends)(&copy);
    return any;
}
#else
GPU_INLINE void gpu_copy_later(void* to, const void* from, unsigned long bytes, unsigned long zeros, unsigned align,
                               const void* barrier, unsigned phase, int line) {
    gpu_copy copy = {to, from, bytes, zeros, nullptr, line, align, 0};
    GPU_HOST(copy_later)(&copy, barrier, phase);
}
GPU_INLINE void gpu_end_copy_group() { GPU_HOST(end_copy_group)(); }
GPU_INLINE bool gpu_finish_copies(const void* barrier, unsigned last) {
    bool any = false;
    for (gpu_copy copy; GPU_HOST(next_copy)(&copy, barrier, last); any = true) {
        if (copy.bytes != 0) __builtin_memcpy(copy.to, copy.from, copy.bytes);
        if (copy.zeros != 0) __builtin_memset((char*)copy.to + copy.bytes, 0, copy.zeros);
    }
    return any;
}
#endif
// A GPU waits for all groups except at most this many.
GPU_INLINE void gpu_wait_for_groups(unsigned long prior) {
    gpu_finish_copies(nullptr, prior < 8 ? (unsigned)prior : 8);
}
// One thread's share of a copy by a group of `size` threads: round-robin, in pieces as large as a GPU copies at once.
GPU_INLINE void gpu_copy_share(unsigned long rank, unsigned long size, void* to, const void* from, unsigned long bytes,
                               unsigned align, const void* barrier, unsigned phase, int line) {
    const unsigned long all = (unsigned long)to | (unsigned long)from | bytes | 16;
    const unsigned long piece = size == 1 ? bytes : all & (0 - all);
    for (unsigned long at = rank * piece; at < bytes; at += size * piece)
        gpu_copy_later((char*)to + at, (const char*)from + at, piece, 0, at == 0 || align <= piece ? align : 1, barrier,
                       phase, line);
}
template <class T> struct gpu_alignment_of { static constexpr unsigned value = alignof(T); };
template <> struct gpu_alignment_of<void> { static constexpr unsigned value = 1; };
template <class S> struct gpu_size_alignment { static constexpr unsigned value = 1; };

namespace cuda {
template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    GPU_INLINE explicit constexpr aligned_size_t(size_t size) : value(size) {}
    GPU_INLINE constexpr operator size_t() const { return value; }
};
}  // namespace cuda
template <size_t A> struct gpu_size_alignment<cuda::aligned_size_t<A>> {
    static constexpr unsigned value = A;
};
template <class T, class S> GPU_INLINE constexpr unsigned gpu_alignment() {
    return gpu_size_alignment<S>::value > gpu_alignment_of<T>::value ? gpu_size_alignment<S>::value
                                                                     : gpu_alignment_of<T>::value;
}
// Checks that a size is a multiple of what aligned_size_t promises.
template <class S> GPU_INLINE void gpu_check_size(unsigned long bytes, int line, const char* file) {
    if (gpu_size_alignment<S>::value > 1 && bytes % gpu_size_alignment<S>::value != 0)
        gpu_fail("memcpy_async() of a cuda::aligned_size_t<N> copies a multiple of N bytes", file, line, threadIdx);
}
#define GPU_FILE const char* file = __builtin_FILE()

GPU_INLINE void __pipeline_memcpy_async(void* to, const void* from, size_t size, size_t zfill = 0, GPU_LINE, GPU_FILE) {
    if ((size != 4 && size != 8 && size != 16) || zfill > size)
        gpu_fail("__pipeline_memcpy_async() copies 4, 8 or 16 bytes, of which at most all are filled with zeros", file,
                 line, threadIdx);
    gpu_copy_later(to, from, size - zfill, zfill, (unsigned)size, nullptr, 0, line);
}
GPU_INLINE void __pipeline_commit() { gpu_end_copy_group(); }
GPU_INLINE void __pipeline_wait_prior(size_t prior) { gpu_wait_for_groups(prior); }
template <class B> __attribute__((unavailable("copies on a barrier of one's own can't run on the host backend; use "
                                              "cuda::memcpy_async(..., barrier)")))
void __pipeline_arrive_on(B* barrier);
