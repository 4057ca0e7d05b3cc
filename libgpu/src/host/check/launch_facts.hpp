// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/check/block_clock.hpp"
#include "host/check/block_turns.hpp"
#include "host/check/checked_memory.hpp"
#include "host/check/host_access_watch.hpp"
#include "host/check/raw_finding.hpp"
#include "host/check/stream_order.hpp"
#include "host/modules/checked_module.hpp"
#include "host/modules/kernel_module.hpp"

namespace gpu::detail::host {

static_assert(unknown_site == site_mask);

class AccessRecorder;

/// What all workers of one checked launch share.
struct LaunchFacts {
    const KernelModule& kernel;
    CheckedModule& module;
    CheckedMemory& memory;
    CheckedHeap& heap;
    GuardedMemory& guarded;
    const HostAccessWatch& host_access;
    void* const* arguments;
    uint3 grid{}, block{};
    std::size_t dynamic_shared = 0;
    std::uint64_t first_serial = 0;  ///< of the block that is taken first; the others follow
    UnorderedOperations unordered{};  ///< earlier work of other streams that may run at the same time
    std::string stream{};             ///< the launch's own, as messages name it
    bool several_workers = false;
    bool strict_barriers = false;
    bool cooperative = false;  ///< all blocks run at once
    /// Serials below it belong to what came before the last barrier of the grid.
    std::uint64_t grid_epoch = 0;

    BlockTurns* turns = nullptr;
    const std::vector<std::uint32_t>* order = nullptr;  ///< of blocks, unless they are taken as they are numbered
    const std::atomic<std::uint64_t>* next_turn = nullptr;

    std::atomic<AccessRecorder*> recorder{nullptr};  ///< for who takes it first; null: nobody records

    FindingLog log{};
    ReleaseLog releases{};
    /// By address, what a cell can't hold: the last plain write where an atomic one of this launch came behind it, and
    /// the last atomic of block scope. Under the lock of `releases` where there are several workers.
    std::unordered_map<std::uintptr_t, Stamp> plain_writes{}, block_scope_atomics{};
    std::atomic<bool> has_plain_writes{false}, has_block_scope_atomics{false};
    /// By address: somebody waits there for another value, or writes it behind a fence. Under the same lock.
    enum Flag : unsigned { polled = 1, released = 2 };
    std::unordered_map<std::uintptr_t, unsigned> flags{};
    /// By number of an instruction: it is a volatile access.
    std::vector<std::atomic<bool>> volatile_sites = std::vector<std::atomic<bool>>(std::size_t{unknown_site} + 1);
    std::atomic<unsigned> volatile_races{0};

    void add_flag(std::uintptr_t address, Flag flag) {
        if (several_workers) releases.mutex.lock();
        flags[address] |= flag;
        if (several_workers) releases.mutex.unlock();
    }

    /// The device's arrays that threads have come to, by their starts, if `notes_reached`. Under `mutex`.
    bool notes_reached = false;
    std::set<std::uintptr_t> reached{};

    /// What was found, when the launch has ended: flags are what volatile is for.
    [[nodiscard]] std::vector<RawFinding> findings() const {
        std::vector<RawFinding> found = log.all();
        std::erase_if(found, [this](const RawFinding& one) {
            if (one.is_left_out) return true;
            const auto flag = flags.find(one.volatile_address);
            if (one.volatile_address == 0 || flag == flags.end()) return false;
            return one_reads(one) || (flag->second & polled) != 0;
        });
        return found;
    }

    /// The serials after those of the blocks, for clocks that run over.
    std::uint64_t more_serials(std::uint64_t of_block) {
        const std::lock_guard lock(mutex);
        const std::uint64_t serial = std::min(next_serial++, last_serial);
        blocks_of_more[serial] = of_block;
        return serial;
    }
    [[nodiscard]] std::uint64_t block_of(std::uint64_t serial) {
        const std::lock_guard lock(mutex);
        const auto more = blocks_of_more.find(serial);
        if (more != blocks_of_more.end()) return more->second;
        return block_at(serial - first_serial);
    }
    /// How many blocks have begun.
    [[nodiscard]] std::uint64_t begun() const noexcept { return next_turn->load(); }
    /// Which block is taken then, counted from 0; and when a block is.
    [[nodiscard]] std::uint64_t block_at(std::uint64_t turn) const {
        return order == nullptr || order->empty() ? turn : (*order)[turn];
    }
    [[nodiscard]] std::uint64_t turn_of(std::uint64_t of_block) const {
        if (order == nullptr || order->empty()) return of_block;
        return static_cast<std::uint64_t>(std::find(order->begin(), order->end(), of_block) - order->begin());
    }
    /// The name of the parameter that points into an array, its elements' size and alignment; "" where none does.
    std::string parameter_at(std::uintptr_t start, std::size_t bytes, std::size_t* element,
                             std::size_t* alignment = nullptr) const;
    [[nodiscard]] uint3 block_index(std::uint64_t at) const {
        return {static_cast<unsigned>(at % grid.x), static_cast<unsigned>(at / grid.x % grid.y),
                static_cast<unsigned>(at / grid.x / grid.y)};
    }
    [[nodiscard]] uint3 thread_index(unsigned thread) const {
        return {thread % block.x, thread / block.x % block.y, thread / block.x / block.y};
    }

    /// The module's `__device__` and `__constant__` variables, for all blocks. Made by the first worker.
    std::vector<std::unique_ptr<CheckedArray>> objects{};
    /// How often an array's cells were split, and lie elsewhere since.
    std::atomic<unsigned> splits{0};

    std::mutex mutex{};
    std::uint64_t next_serial = 0;
    std::map<std::uint64_t, std::uint64_t> blocks_of_more{};
};

}  // namespace gpu::detail::host
