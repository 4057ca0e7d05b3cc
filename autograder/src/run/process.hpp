// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "run/sealed_memory.hpp"
#include "run/session.hpp"
#include "sandbox/cgroup.hpp"
#include "sandbox/policy.hpp"

namespace course {

using Clock = std::chrono::steady_clock;

/// How a process ended.
struct Death {
    bool signalled = false;
    int number = 0;   ///< the signal, or the exit code
};

/// What the student's code prints: the beginning is kept, the rest counted and dropped.
struct Printed {
    static constexpr std::size_t capacity = 64 * 1024;
    std::string text;
    std::uint64_t dropped = 0;
    void append(const char* data, std::size_t size);
};

/// Why a wait ended.
struct Waited {
    enum class Reason { message, damaged_message, disconnected, dead, too_late, too_much_memory, too_many_files,
                        too_many_threads };
    Reason reason = Reason::message;
    Death death;
};

/// One runner process with everything that it shares with the grader. The destructor kills it and whatever it has
/// started.
class Session::Process {
public:
    /// @throws std::system_error
    Process(const SessionOptions& options, Printed& printed);
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    [[nodiscard]] InputMemory& input() noexcept { return input_; }
    [[nodiscard]] OutputMemory& output() noexcept { return output_; }

    void send(const protocol::Request& request);

    /// Leaves the destructor less to wait for.
    void kill() noexcept;

    /// Waits for the next message. Meanwhile reads printed output, and monitors the process and its memory.
    Waited receive(protocol::Reply& reply, Clock::time_point deadline);

    /// Starts the clock and releases the true values, waits until the runner reports that the call is done, and stops
    /// the clock.
    Waited time(std::uint64_t sequence, std::span<const protocol::CanaryRecord> canaries, Clock::time_point deadline,
                double& seconds);

private:
    std::optional<Death> dead() noexcept;
    void read_printed();
    /// Why the call must end: its resource use is checked from time to time.
    std::optional<Waited::Reason> over_limit(Clock::time_point now);
    [[nodiscard]] std::vector<pid_t> tree() const;
    [[nodiscard]] bool over_memory_limit(std::span<const pid_t> tree) const;
    /// Why it died, according to its cgroup or else its exit code.
    [[nodiscard]] Waited because_of(const Death& death) const;

    Printed& printed_;
    std::size_t memory_limit_, file_limit_;
    std::optional<Cgroup> group_;   ///< if the machine provides one
    std::array<std::filesystem::path, 2> folders_;
    std::shared_ptr<const std::atomic<bool>> cancelled_;
    InputMemory input_;
    OutputMemory output_;
    UniqueFd socket_, pipe_;
    pid_t process_ = -1;
    std::optional<Death> death_;
    Clock::time_point next_look_{}, next_tree_look_{};
};

// Finds the processes that a runner has left behind. Reads /proc without using the heap, since Ctrl-C uses it, too.
//
// The grader is a child subreaper: whatever a runner starts and loses becomes the grader's own child. Such adopted
// processes are distinguished from the grader's other children (runners, compilers), which are noted
// (support/process.hpp).

/// Where a search for processes starts: at one process, at the adopted children, or at all children of this program.
struct ProcessRoot {
    pid_t process = 0;        ///< this one and everything below it
    bool adopted = false;     ///< orphans of runners, and everything below them
    bool children = false;    ///< every child of this program, and everything below them
};

/// Writes the processes to `found`, as many as fit, and returns how many.
std::size_t find_processes(ProcessRoot root, std::span<pid_t> found) noexcept;

/// Kills the processes and waits until they are gone, for at most `seconds`. False if some are still there.
bool kill_processes(ProcessRoot root, double seconds) noexcept;

/// A thread of the process that is still running. /proc shows the process's memory and files under its number, too, and
/// no longer under the process's own once its first thread has ended.
pid_t living_thread(pid_t process) noexcept;

/// The number of its threads; 0 if it is gone.
std::uint64_t thread_count(pid_t process) noexcept;

/// The resident memory of one process in bytes; 0 if it is gone. Shared pages count in full.
std::uint64_t resident_bytes(pid_t process) noexcept;

/// The same with every shared page divided among the processes that map it; slower.
std::uint64_t proportional_bytes(pid_t process) noexcept;

/// The kernel's page tables for the process. Pages that were only read show up here alone.
std::uint64_t page_table_bytes(pid_t process) noexcept;

/// The runner's complete environment: fixed, except PATH and the variables with which libgpu and CUDA find things.
std::vector<std::string> runner_environment(const SessionOptions& options);

/// Everything that the runner may access: its own two folders, the student's files for reading, the kit's libraries,
/// and the system's.
Policy runner_policy(const SessionOptions& options);

/// The runner's ends of what it shares with the grader.
struct RunnerDescriptors {
    int socket, input, output;   ///< become protocol::socket_fd, input_fd, output_fd
    int printed;                 ///< becomes its standard output and error
};

/// Starts the runner in a separate session, with limits and under its policy, in options.scratch, with only these
/// descriptors, in the cgroup if there is one.
/// It is a noted process (support/process.hpp): forget it after waiting for it.
/// @throws std::system_error that names the step that failed.
pid_t spawn_runner(const SessionOptions& options, const RunnerDescriptors& descriptors, const Cgroup* group);

}  // namespace course
