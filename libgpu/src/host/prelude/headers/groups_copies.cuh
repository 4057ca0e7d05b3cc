// SPDX-License-Identifier: MIT
// <cooperative_groups/memcpy_async.h>.

#pragma GCC system_header
#pragma once
#include "cooperative_groups.h"
#include "libgpu/copies.hpp"
namespace cooperative_groups {
template <class G> struct gpu_copies { static constexpr bool value = false; };
template <> struct gpu_copies<thread_block> { static constexpr bool value = true; };
template <> struct gpu_copies<coalesced_group> { static constexpr bool value = true; };
template <unsigned N, class P> struct gpu_copies<thread_block_tile<N, P>> { static constexpr bool value = true; };

template <class G, class T, class S>
GPU_INLINE void memcpy_async(const G& group, T* __restrict__ to, const T* __restrict__ from, const S& bytes, GPU_LINE,
                             GPU_FILE) {
    static_assert(gpu_copies<G>::value, "memcpy_async() is for a block, a tile or a coalesced group");
    gpu_check_size<S>((size_t)bytes, line, file);
    gpu_copy_share(group.thread_rank(), group.size(), (void*)to, (const void*)from, (size_t)bytes,
                   gpu_alignment<T, S>(), nullptr, 0, line);
    gpu_end_copy_group();
}
// Counts are in elements; the smaller one applies.
template <class G, class T, class D, class S>
GPU_INLINE void memcpy_async(const G& group, T* __restrict__ to, const D& to_count, const T* __restrict__ from,
                             const S& from_count, GPU_LINE) {
    static_assert(gpu_copies<G>::value, "memcpy_async() is for a block, a tile or a coalesced group");
    const size_t count = (size_t)to_count < (size_t)from_count ? (size_t)to_count : (size_t)from_count;
    gpu_copy_share(group.thread_rank(), group.size(), (void*)to, (const void*)from, count * sizeof(T), alignof(T),
                   nullptr, 0, line);
    gpu_end_copy_group();
}
template <unsigned Prior, class G> GPU_CONVERGENT void wait_prior(const G& group, GPU_LINE) {
    gpu_wait_for_groups(Prior);
    group.sync(line);
}
template <class G> GPU_CONVERGENT void wait(const G& group, GPU_LINE) {
    gpu_wait_for_groups(0);
    group.sync(line);
}
}  // namespace cooperative_groups
