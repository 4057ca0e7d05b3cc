// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gpu/check.hpp>

#include "backend/host_access.hpp"
#include "host/base/fork_guard.hpp"
#include "host/check/host_buffer_watch.hpp"
#include "host/memory/guarded_memory.hpp"

namespace gpu::detail::host {

/// Notices host code that reads or writes arrays of the device while a check goes on: on a GPU it would crash.
///
/// Arrays are inaccessible but for the time of an Opening, which is whenever libgpu itself or a kernel works. Who else
/// touches one faults; the signal handler notes that, makes the array accessible, and the program goes on. So each
/// array is noted once between two operations of libgpu's.
class HostAccessWatch {
public:
    explicit HostAccessWatch(HostBufferWatch& buffers) : buffers_(buffers) {}

    /// The memory of a device, before any check.
    void add(GuardedMemory& memory) { memories_.push_back(&memory); }

    /// Nothing works on the memories. @throws Error if another backend is being watched
    void begin();
    /// All is accessible again.
    void end() noexcept;

    /// While it lives, memory is accessible. Does nothing outside of a check.
    class [[nodiscard]] Opening {
    public:
        explicit Opening(HostAccessWatch& watch) : watch_(watch.open() ? &watch : nullptr) {}
        ~Opening() {
            if (watch_ != nullptr) watch_->close();
        }
        Opening(const Opening&) = delete;
        Opening& operator=(const Opening&) = delete;

    private:
        HostAccessWatch* watch_;
    };

    /// What a kernel calls the array that begins here.
    void name(std::uintptr_t array, const std::string& parameter) { names_.try_emplace(array, parameter); }
    [[nodiscard]] std::string name_of(std::uintptr_t array) const {
        const auto known = names_.find(array);
        return known != names_.end() ? known->second : "";
    }
    /// True if the address lies in an array of any of the devices.
    [[nodiscard]] bool is_array(std::uintptr_t address) const noexcept {
        AddressRange range;
        return ranges_.find(address, range);
    }
    /// How many accesses have been noted.
    [[nodiscard]] std::size_t noted() const noexcept;
    struct NotedFinding {
        std::size_t number;  ///< below noted()
        Finding finding;
    };
    /// A finding each, in their order; reads, and writes, of one place and name are one.
    [[nodiscard]] std::vector<NotedFinding> findings() const;

    /// Called by the handler of a fault outside of kernels. True if it was an access to a watched array: the
    /// instruction can be tried again.
    static bool note(HostAccess access, std::uintptr_t instruction) noexcept;

private:
    static constexpr std::size_t most_noted = 64;
    struct Note {
        HostAccess access;
        CallFrames frames;  // where it happened
        std::atomic<bool> complete{false};
    };

    bool open();
    void close() noexcept;

    HostBufferWatch& buffers_;  // opened and closed with the arrays
    std::vector<GuardedMemory*> memories_;
    AddressRanges ranges_;
    ForkSafeMutex mutex_;
    bool active_ = false;
    int openings_ = 0;
    std::map<std::uintptr_t, std::string> names_;
    Note notes_[most_noted];
    std::atomic<std::size_t> used_{0};
};

}  // namespace gpu::detail::host
