// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "host/base/abi.hpp"

namespace gpu::detail::host {

/// The asynchronous copies of one block that nobody has waited for. A GPU may do a copy at any moment between the call
/// and the wait; here it is done by the wait, the latest moment, so that a kernel that reads before it finds nothing.
/// The kernel itself does it: what a copy reads and writes is the kernel's to answer for.
class PendingCopies {
public:
    /// Forgets the block before: what nobody waited for never happens.
    void begin_block() noexcept {
        if (is_used_) forget();
    }

    /// Of copy.thread's group that is open.
    void add(const gpu_copy& copy);
    void end_group(unsigned thread);
    /// Takes the next copy of a thread's ended groups, but for the last `left` of them. False: there is none.
    bool next(unsigned thread, unsigned left, gpu_copy& copy);

    /// A copy of a barrier's phase: whoever waits for the end of that phase waits for it.
    void add(const gpu_copy& copy, const void* barrier, unsigned phase);
    /// Takes the next copy of a barrier's phases up to `last`. Phases are numbers of 24 bits that begin anew.
    bool next(const void* barrier, unsigned last, gpu_copy& copy);

private:
    struct OfThread {
        std::vector<gpu_copy> copies;
        std::vector<std::size_t> ends;  // of the groups that have ended, in `copies`
        std::size_t done = 0;
    };
    struct OfBarrier {
        const void* barrier = nullptr;
        std::vector<gpu_copy> copies;
        std::vector<unsigned> phases;  // by copy
        std::size_t done = 0;
    };

    void forget() noexcept;
    OfThread& of(unsigned thread);

    bool is_used_ = false;
    std::unique_ptr<OfThread[]> threads_;
    std::vector<OfBarrier> barriers_;
};

}  // namespace gpu::detail::host
