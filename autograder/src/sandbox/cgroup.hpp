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

/// Where cgroups of our own can be made: below which folder of each hierarchy.
struct CgroupPlaces {
    int version = 0;                ///< of the kernel's interface, 1 or 2; 0: nowhere
    std::filesystem::path memory;   ///< of version 2 for all limits
    std::filesystem::path pids;     ///< of version 1 alone; empty: processes aren't counted
    friend bool operator==(const CgroupPlaces&, const CgroupPlaces&) = default;
};

/// Where this process is: `cgroups` is /proc/self/cgroup, `mounts` is /proc/self/mountinfo. Of version 2 the folder is
/// still to be chosen, from `memory` upwards, but not above `top`.
CgroupPlaces own_cgroups(std::string_view cgroups, std::string_view mounts, std::filesystem::path* top = nullptr);

/// Where this process may make some, tried once, at the first call: root with version 1; with version 2 who may write a
/// folder above its own that hands memory on, as systemd delegates one to a user's services. Groups that a killed
/// grader has left there are removed.
const CgroupPlaces& usable_cgroups();

/// Removes groups whose maker is gone, and ends what still runs in them.
void remove_left_over_cgroups(const CgroupPlaces& places);

/// A group of processes with limits that the kernel keeps. It counts all memory: files without a name, those of a tmpfs
/// and page tables as well, whoever has them open. Over the limit the kernel kills. The destructor ends all that is in
/// the group, and removes it; so does Ctrl-C.
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

    /// In a process that has been forked, before it changes its user: it is in the group from now on, with all that it
    /// starts. False with errno set if it can't be. Async-signal-safe.
    [[nodiscard]] bool enter() const noexcept;

    /// True once the kernel has killed one of its processes for want of memory.
    [[nodiscard]] bool ran_out_of_memory() const noexcept;

    [[nodiscard]] const std::vector<std::filesystem::path>& folders() const noexcept { return folders_; }

private:
    void make(const CgroupPlaces& places, const Limits& limits);
    void remove() noexcept;

    std::vector<std::filesystem::path> folders_;   ///< one, or one for each hierarchy
    std::vector<OpenFile> doors_;                  ///< their lists of processes
    std::filesystem::path events_;                 ///< says how often the kernel has killed
    std::optional<AtSignal> at_signal_;
};

}  // namespace course
