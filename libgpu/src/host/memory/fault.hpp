// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <gpu/shape.hpp>

#include "host/base/abi.hpp"

namespace gpu::detail::host {

/// What stopped a kernel before its end. Filled in by a signal handler: plain values only.
struct Fault {
    enum class Kind {
        none, bad_address, stack_overflow, division_by_zero, arithmetic, illegal_instruction,
        shared_overrun,  ///< a block has written past the end of its shared memory
        null_call,    ///< a function through a null pointer
        failed,       ///< assert or __trap
        stuck,        ///< a barrier or warp operation that can never complete
        divergent,    ///< threads of a block wait at barriers on different lines
        endless,      ///< a block or chunk that took too long
        checked,      ///< check mode found a mistake that it can't continue from
        wrong_mask,   ///< a warp operation whose mask doesn't name the calling lane
        uneven_barrier,  ///< threads wait at one barrier, the number in `mask`, for different numbers of threads
        stuck_grid,  ///< a block waits at a barrier of the grid for one that never arrives
        given_up     ///< another block, for which this one waited, has failed: not reported
    };
    enum class Access { unknown, read, write };

    Kind kind = Kind::none;
    std::uintptr_t address = 0;
    bool has_address = true;  ///< false: the pointer is no address at all (not canonical on x86-64)
    Access access = Access::unknown;
    uint3 thread{};
    const char* what = nullptr;  ///< failed: "assertion `i < n' failed"
    const char* file = nullptr;
    int line = 0;
    unsigned mask = 0;
    std::uintptr_t instruction = 0;  ///< the interrupted one; 0: none
};

/// The threads of a stuck block that wait at one place.
struct WaitingThreads {
    std::string at;  ///< "__syncthreads() on line 7"
    int count = 0;
};

/// A fault and where it happened, ready to be reported.
struct FaultReport {
    Fault fault;
    std::string kernel;
    bool has_block = false;   ///< raw kernels
    uint3 block{};
    bool has_thread = false;
    bool has_element = false; ///< elementwise and reduction kernels
    std::int64_t element = 0;
    std::string where;        ///< from describe_address(), for a bad address
    double seconds = 0;       ///< the limit that an endless kernel ran into
    std::vector<WaitingThreads> waiting;
    int ended = 0;            ///< threads of a stuck block that have ended
};

/// The whole message of a LaunchError. Pure.
std::string message(const FaultReport& report);

/// An array near a bad address, as the message needs it.
struct NearArray {
    std::uintptr_t start = 0;
    std::size_t bytes = 0;
    std::string name;   ///< the kernel's parameter, "argument 3", or empty: not an argument of this kernel
    std::size_t element = 0;  ///< bytes of an element; 0: unknown
    bool freed = false;
    bool written = true;  ///< something may have written to it
    int dtype = -1;       ///< of its elements, a DType; -1: not known
    Shape shape{};        ///< as it was created
};

/// Describes an access through a pointer whose bits can't be an address. Pure.
std::string describe_impossible_address();

/// "writes just past the end of z (257 elements)". Pure.
std::string describe_address(std::uintptr_t address, Fault::Access access, const NearArray* array);

/// "kernel add: x was written 4 bytes before its start". Pure.
std::string underrun_message(const std::string& kernel, const NearArray& array, std::size_t bytes_before);
std::string overrun_message(const std::string& kernel, const NearArray& array, std::size_t bytes_past);

/// The fault of the lowest block or element among those of a launch's workers, so that the message doesn't depend on
/// which was faster. Work is handed out in increasing order, so no lower fault is missed.
class FirstFault {
public:
    [[nodiscard]] bool any() const noexcept { return any_.load(std::memory_order_relaxed); }

    void add(std::uint64_t place, FaultReport report) {
        const std::lock_guard lock(mutex_);
        if (any() && place >= place_) return;
        place_ = place;
        report_ = std::move(report);
        any_.store(true, std::memory_order_relaxed);
    }

    /// Call it after all workers are done.
    [[nodiscard]] FaultReport& report() noexcept { return report_; }

private:
    std::atomic<bool> any_{false};
    std::mutex mutex_;
    std::uint64_t place_ = 0;
    FaultReport report_;
};

}  // namespace gpu::detail::host
