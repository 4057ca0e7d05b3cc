// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "run/caller.hpp"
#include "sandbox/policy.hpp"
#include "support/parallel.hpp"

namespace course {

struct Printed;

struct SessionOptions {
    std::filesystem::path runner;    ///< course-runner
    std::filesystem::path object;    ///< the student's shared object; empty: a runner without one
    std::filesystem::path scratch;   ///< the runner's working folder, HOME and TMPDIR; emptied before each start
    std::filesystem::path kernel_cache;      ///< LIBGPU_CACHE_DIR for it
    Surroundings around = {};                ///< where the kit's libraries are, and what it must not see
    bool sandboxed = true;                   ///< else it has limits alone
    std::optional<SeparateUser> as = {};     ///< in the sandbox: its user, who can read what it needs
    std::vector<std::string> variables = {};   ///< Toolchain::variables
    std::string device = "host";             ///< LIBGPU_DEVICE for it
    int devices = 0;                         ///< number of the host backend's devices; 0: from the environment
    bool records = false;                    ///< record what a replay needs: kernels of calls, and the work of checked
                                             ///< calls that must be replayed
    double call_seconds = 10;                ///< limit of one call
    bool one_call = false;                   ///< each call has a process of its own, as a program's run has
    /// The lock of its GPU, which calls share with others unless somebody holds it exclusively; none: the host.
    std::shared_ptr<DeviceLock> lock = {};
    std::size_t memory_bytes = std::size_t{4} << 30;  ///< resident memory of the runner and what it starts
    std::size_t file_bytes = std::size_t{1} << 30;    ///< of all files in its folders together
    std::shared_ptr<const std::atomic<bool>> cancelled = {};  ///< set by another thread: calls end as timed out
};

/// One runner process and the grader's end of the protocol. The destructor leaves no process behind.
///
/// After an outcome in which the runner died or had to be killed, the next call starts a new one. Only for the thread
/// that created it: the kernel kills the runner when that thread ends.
class Session : public Caller {
public:
    explicit Session(SessionOptions options);
    ~Session() override;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// @throws std::runtime_error if no runner can be started: not the student's fault. Once one has started, it is:
    /// then the call has crashed.
    CallResult call(const std::string& function, std::span<const Value> arguments,
                   std::span<const ValueType> results) override;
    CallResult timed_call(const std::string& function, std::span<const Value> arguments,
                         std::span<const ValueType> results) override;
    CallResult check_call(const std::string& function, std::span<const Value> arguments,
                         std::span<const ValueType> results, const CheckLimits& limits) override;

    /// Replays a recording with these arguments in a runner without an object. `results` are the call's result types.
    CallResult replay(const Bytes& recording, std::span<const Value> arguments, std::span<const ValueType> results,
                     const CheckLimits& limits);

    /// Compiles kernels of another runner's calls for check mode, as far as possible, into this one's kernel cache,
    /// without running any of them.
    void compile(const Bytes& kernels, double seconds);

    CallResult compile_kernel(const std::string& file, const std::string& name, std::string_view text) override;

    CallResult given_call(const std::string& function, std::span<const Value> arguments,
                         std::span<const ValueType> results) override;

    CallResult ledger_call(const std::string& function, std::span<const Value> arguments,
                          std::span<const ValueType> results) override;

    /// Starts the runner without waiting for it, so that it gets ready while others work; the first call waits. The
    /// object's content is read from then on: until the first call it may be an empty file.
    /// @throws std::runtime_error if none can be started
    void begin();

    /// Kills the runner without waiting for its end, which takes long while a GPU's context is closed; the destructor
    /// waits. No calls may follow.
    void end() noexcept;

    /// What the student's code has printed so far (stdout and stderr together, capped).
    [[nodiscard]] std::string output() const;

private:
    class Process;
    struct Exchange;

    CallResult run(Exchange& made, const std::string& function);
    CallResult exchange(Exchange& made);
    void start();
    void start_runner();
    void launch_runner();
    void start_over();
    void wait_for_runner();

    SessionOptions options_;
    std::unique_ptr<Printed> printed_;
    std::unique_ptr<Process> process_;   ///< null before the first call, and after one that ended it
    bool is_ready_ = false;              ///< the process has reported that it is ready
    bool has_started_ = false;           ///< a runner has started: whatever prevents others is the student's doing
    std::size_t used_output_ = 0;        ///< bytes of the output memory used by the last reply
};

/// Kills every process that this program has started and that is still alive; called at the end and on Ctrl-C.
void kill_leftover_processes() noexcept;

}  // namespace course
