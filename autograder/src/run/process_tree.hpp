// SPDX-License-Identifier: MIT
#pragma once

// Which processes a runner has left in the world. Read from /proc, without the heap: Ctrl-C uses it, too.
//
// The grader is a child subreaper: whatever a runner starts and loses becomes the grader's own child. Such an adopted
// process is told from the grader's other children (runners, compilers): those are noted (support/cleanup.hpp).

#include <cstddef>
#include <cstdint>
#include <span>

#include <sys/types.h>

namespace course {

/// Where a search for processes starts: at one process, at the adopted children, or at all children of this program.
struct ProcessRoot {
    pid_t process = 0;        ///< this one and everything below it
    bool adopted = false;     ///< orphans of runners, and everything below them
    bool children = false;    ///< every child of this program, and everything below them
};

/// Writes the processes to `found`, as many as there is room for, and returns how many.
std::size_t find_processes(ProcessRoot root, std::span<pid_t> found) noexcept;

/// Kills the processes and waits until they are gone, for at most `seconds`. False if some are still there.
bool kill_processes(ProcessRoot root, double seconds) noexcept;

/// A thread of the process that still runs. /proc shows the process's memory and files under its number, too, and no
/// longer under the process's own once its first thread has ended.
pid_t living_thread(pid_t process) noexcept;

/// How many threads it has, 0 if it is gone.
std::uint64_t thread_count(pid_t process) noexcept;

/// Resident memory of one process in bytes, 0 if it is gone. Shared pages count in full.
std::uint64_t resident_bytes(pid_t process) noexcept;

/// The same with every shared page divided among those that map it; slower.
std::uint64_t proportional_bytes(pid_t process) noexcept;

/// What the kernel needs to know where the process's memory lies. Pages that were only read are in here alone.
std::uint64_t page_table_bytes(pid_t process) noexcept;

}  // namespace course
