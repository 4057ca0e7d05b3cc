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
    std::filesystem::path object;    ///< the student's shared object; empty: a runner with none
    std::filesystem::path scratch;   ///< the runner's working folder, HOME and TMPDIR; emptied when one starts
    std::filesystem::path kernel_cache;      ///< LIBGPU_CACHE_DIR for it
    Surroundings around = {};                ///< where the kit's libraries are, and what it must not see
    bool sandboxed = true;                   ///< else it has limits alone
    std::optional<SeparateUser> as = {};     ///< in the sandbox: its user, who can read what it needs
    std::vector<std::string> variables = {};   ///< Toolchain::variables
    std::string device = "host";             ///< LIBGPU_DEVICE for it
    int devices = 0;                         ///< of the host backend: so many; 0: as the environment has it
    bool records = false;                    ///< it writes down what a replay needs: of calls their kernels, of checked
                                             ///< ones that are to be replayed their work
    double call_seconds = 10;                ///< limit of one call
    /// Its GPU's lock, which calls share with others unless somebody holds it alone; none: the host.
    std::shared_ptr<DeviceLock> lock = {};
    std::size_t memory_bytes = std::size_t{4} << 30;  ///< resident memory of the runner and what it starts
    std::size_t file_bytes = std::size_t{1} << 30;    ///< of all files in its folders together
    std::shared_ptr<const std::atomic<bool>> cancelled = {};  ///< set by another thread: calls end as timed out
};

/// One runner process and the grader's end of the protocol. The destructor leaves no process behind.
///
/// After an outcome in which the runner died or had to be killed, the next call starts a fresh one. To be used by the
/// thread that made it: the kernel kills the runner when that thread ends.
class Session : public Caller {
public:
    explicit Session(SessionOptions options);
    ~Session() override;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// @throws std::runtime_error if no runner can be started: not the student's fault. Once one has, it is: then the
    /// call has crashed.
    CallReply call(const std::string& function, std::span<const Value> arguments,
                   std::span<const ValueType> results) override;
    CallReply timed_call(const std::string& function, std::span<const Value> arguments,
                         std::span<const ValueType> results) override;
    CallReply check_call(const std::string& function, std::span<const Value> arguments,
                         std::span<const ValueType> results, const CheckLimits& limits) override;

    /// Does a recording's work, with these arguments, in a runner without an object. `results` are the types that the
    /// call gave.
    CallReply replay(const Bytes& recording, std::span<const Value> arguments, std::span<const ValueType> results,
                     const CheckLimits& limits);

    /// Compiles kernels of another runner's calls for check mode, as far as it can, into this one's kernel cache.
    /// Nothing of them is run.
    void compile(const Bytes& kernels, double seconds);

    CallReply compile_kernel(const std::string& file, const std::string& name, std::string_view text) override;

    CallReply given_call(const std::string& function, std::span<const Value> arguments,
                         std::span<const ValueType> results) override;

    CallReply ledger_call(const std::string& function, std::span<const Value> arguments,
                          std::span<const ValueType> results) override;

    /// Starts the runner without waiting for it, so that it gets ready while others work; the first call waits. The
    /// object's content is read from then on: until the first call it may be an empty file.
    /// @throws std::runtime_error if none can be started
    void begin();

    /// Kills the runner without waiting until it is gone, which takes long while a GPU's context is closed; the
    /// destructor waits. No calls after it.
    void end() noexcept;

    /// What the student's code has printed so far (stdout and stderr together, capped).
    [[nodiscard]] std::string output() const;

private:
    class Process;
    struct Exchange;

    CallReply run(Exchange& made, const std::string& function);
    CallReply exchange(Exchange& made);
    void start();
    void start_runner();
    void launch_runner();
    void wait_for_runner();

    SessionOptions options_;
    std::unique_ptr<Printed> printed_;
    std::unique_ptr<Process> process_;   ///< none before the first call, and after one that ended it
    bool is_ready_ = false;              ///< that process has said that it is
    bool has_started_ = false;           ///< a runner has: whatever keeps others from it is the student's doing
    std::size_t used_output_ = 0;        ///< bytes of the output memory that the last reply used
};

/// Kills every process that this program has started and that is still alive; called at the end and on Ctrl-C.
void kill_leftover_processes() noexcept;

}  // namespace course
