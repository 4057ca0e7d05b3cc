// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sys/types.h>

#include "run/sealed_memory.hpp"
#include "run/session.hpp"
#include "sandbox/cgroup.hpp"

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

/// One runner process with all that it shares with the grader. The destructor kills it and whatever it has started.
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

    /// The destructor then has less to wait for.
    void kill() noexcept;

    /// Waits for the next message. Meanwhile reads what is printed, and watches the process and its memory.
    Waited receive(protocol::Reply& reply, Clock::time_point deadline);

    /// Starts the clock and lets the true values out, waits until the runner says that the call is done, stops the
    /// clock.
    Waited time(std::uint64_t sequence, std::span<const protocol::CanaryRecord> canaries, Clock::time_point deadline,
                double& seconds);

private:
    std::optional<Death> dead() noexcept;
    void read_printed();
    /// Why the call has to end: what it uses is looked at from time to time.
    std::optional<Waited::Reason> over_limit(Clock::time_point now);
    [[nodiscard]] std::vector<pid_t> tree() const;
    [[nodiscard]] bool over_memory_limit(std::span<const pid_t> tree) const;
    /// Why it died: what its cgroup doesn't say, its exit code does.
    [[nodiscard]] Waited because_of(const Death& death) const;

    Printed& printed_;
    std::size_t memory_limit_, file_limit_;
    std::optional<Cgroup> group_;   ///< where the machine has one for it
    std::array<std::filesystem::path, 2> folders_;
    std::shared_ptr<const std::atomic<bool>> cancelled_;
    InputMemory input_;
    OutputMemory output_;
    OpenFile socket_, pipe_;
    pid_t process_ = -1;
    std::optional<Death> death_;
    Clock::time_point next_look_{}, next_tree_look_{};
};

}  // namespace course
