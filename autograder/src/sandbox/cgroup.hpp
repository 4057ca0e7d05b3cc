// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "support/files.hpp"
#include "support/process.hpp"

namespace course {

/// Where we can create cgroups: the parent folder in each hierarchy.
struct CgroupPlaces {
    int version = 0;                ///< the kernel's interface, 1 or 2; 0: none
    std::filesystem::path memory;   ///< with version 2, for all limits
    std::filesystem::path pids;     ///< with version 1 only; empty: processes aren't counted
    friend bool operator==(const CgroupPlaces&, const CgroupPlaces&) = default;
};

/// This process's cgroups: `cgroups` is /proc/self/cgroup, `mounts` is /proc/self/mountinfo. With version 2, the folder
/// must still be chosen, from `memory` upwards, but not above `top`.
CgroupPlaces own_cgroups(std::string_view cgroups, std::string_view mounts, std::filesystem::path* top = nullptr);

/// Where this process may create groups, tried once, on the first call: with version 1 if it is root; with version 2 if
/// it may write a folder above its own that delegates memory, as systemd does for user services. Removes groups left by
/// a killed grader.
const CgroupPlaces& usable_cgroups();

/// Removes groups whose creator is gone, and kills what still runs in them.
void remove_left_over_cgroups(const CgroupPlaces& places);

/// A group of processes with limits enforced by the kernel. It counts all memory, including files without a name, tmpfs
/// files and page tables, whoever has them open. Above the limit, the kernel kills. The destructor kills everything in
/// the group and removes it; so does Ctrl-C.
class Cgroup {
public:
    struct Limits {
        std::size_t memory_bytes = 0, processes = 0;
    };

    /// @throws std::system_error
    Cgroup(const CgroupPlaces& places, const Limits& limits);
    ~Cgroup();
    Cgroup(const Cgroup&) = delete;
    Cgroup& operator=(const Cgroup&) = delete;

    /// Called in a forked process, before it changes its user: puts it into the group, with everything that it starts.
    /// False with errno set on failure. Async-signal-safe.
    [[nodiscard]] bool enter() const noexcept;

    /// True once the kernel has killed one of its processes for lack of memory.
    [[nodiscard]] bool ran_out_of_memory() const noexcept;

    [[nodiscard]] const std::vector<std::filesystem::path>& folders() const noexcept { return folders_; }

private:
    void make(const CgroupPlaces& places, const Limits& limits);
    void remove() noexcept;

    std::vector<std::filesystem::path> folders_;   ///< one, or one per hierarchy
    std::vector<UniqueFd> doors_;                  ///< their lists of processes
    std::filesystem::path events_;                 ///< counts the kernel's kills
    std::optional<SignalCleanup> signal_cleanup_;
};

}  // namespace course
