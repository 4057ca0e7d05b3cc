// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "host/check/block_watch.hpp"
#include "host/fibers/thread_pool.hpp"

namespace gpu::detail::host {

/// The functions that a kernel in check mode calls, applied to the running watch: see gpu_check_calls. All run on
/// kernels' stacks.
class CheckCalls {
public:
    static const gpu_check_calls& table() noexcept;

private:
    using SiteSlot = BlockWatch::SiteSlot;
    using Access = BlockWatch::Access;

    template <bool is_shared>
    static bool is_verified_reader(const BlockWatch& watch, Stamp verified_reader, unsigned thread) noexcept;
    template <unsigned size, bool write>
    static void on_access(const void* p, const void* site);
    template <unsigned size, bool write>
    static void on_global_access(const void* p, const void* site, BlockWatch& watch, SiteSlot& slot, unsigned number);
    template <unsigned size, bool write, bool is_volatile>
    static void on_slow_access(const void* p, const void* site);
    template <unsigned size, bool write, bool is_shared>
    static void on_quick_access(const void* p, const void* site);
    static void on_range(const void* p, unsigned long size, bool write, const void* site);
    static unsigned long long on_atomic(int operation, void* p, unsigned size, unsigned long long value,
                                        unsigned long long expected, const void* site);
    static void on_atomic_begins();
    static void on_block_scope();
    static void on_fence(int order);
    static void on_copy(void* to, const void* from, unsigned long size, const void* site);
    static void on_fill(void* to, int value, unsigned long size, const void* site);
    static void on_bounds(const void* description, unsigned long index, const void* site);
    static void on_misaligned(const void* description, const void* p, const void* site);
    static void on_misaligned_access(const void* p, unsigned size, const void* site);
    static void on_shift(const void* description, unsigned long by, const void* site);
    static void on_division(const void* description, const void* site);
    static void on_local_begins(const void* p, unsigned long size, unsigned element, unsigned columns,
                                const char* name);
    static void on_local_ends(const void* p);
    static void* on_allocate(unsigned long long bytes, const void* site);
    static bool on_release(void* data, int line, const void* site);
    static void on_copy_begins(const gpu_copy* copy);
    static void on_copy_ends(const gpu_copy* copy);
    static void on_barrier_phase(const void* barrier, unsigned phase, bool waited);
};

/// Why the block of a checked launch failed: the watch's finding, or the fault that the scheduler or a signal handler
/// saw.
RawFinding finding_of(LaunchFacts& facts, Worker& worker, BlockWatch& watch);

/// "3 threads wait at __syncthreads() in line 7".
std::string waiting_text(const Arrivals& place);

}  // namespace gpu::detail::host
