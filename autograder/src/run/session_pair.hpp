// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "run/caller.hpp"
#include "run/session.hpp"

namespace course {

/// A student's object in two runners that share nothing: one for calls, on any device, and one for checked calls, on
/// the host backend, which has its own thread. Output printed in check mode is dropped: the usual run has printed it.
class SessionPair : public Caller {
public:
    /// @param checked for the second runner: its own folders; its device is always the host
    /// @param reference the runner without an object, on the same device; null: there is none
    /// @param given for the runner of given_call(): the exercise's own functions and its own folders, without student's
    /// code; none: the first runner takes these calls
    /// @param replayer for the runner that replays what checked calls asked of the device, without an object, on the
    /// host: its own folders; none: nothing is replayed. If `usual` records its kernels, the replayer compiles them for
    /// check mode, and `checked` gets copies
    SessionPair(const SessionOptions& usual, SessionOptions checked,
                Session* reference = nullptr, const std::optional<SessionOptions>& given = {},
                std::optional<SessionOptions> replayer = {});
    ~SessionPair() override;
    SessionPair(const SessionPair&) = delete;
    SessionPair& operator=(const SessionPair&) = delete;

    /// @throws std::runtime_error as Session does.
    CallResult call(const std::string& function, std::span<const Value> arguments,
                   std::span<const ValueType> results) override;
    CallResult timed_call(const std::string& function, std::span<const Value> arguments,
                         std::span<const ValueType> results) override;
    CallResult check_call(const std::string& function, std::span<const Value> arguments,
                         std::span<const ValueType> results, const CheckLimits& limits) override;

    std::optional<CallResult> replay_call(const Bytes& recording, std::span<const Value> arguments,
                                         std::span<const ValueType> results, const CheckLimits& limits) override;

    CallResult compile_kernel(const std::string& file, const std::string& name, std::string_view text) override;

    CallResult given_call(const std::string& function, std::span<const Value> arguments,
                         std::span<const ValueType> results) override;

    CallResult ledger_call(const std::string& function, std::span<const Value> arguments,
                          std::span<const ValueType> results) override;

    std::optional<CallResult> reference_call(const ReferenceWork& work) override;

    /// Starts all runners for calls, the student's first, without waiting for them: a GPU's context takes time.
    void begin();

    /// Kills all runners: nothing of the student's runs any more. For the runners of calls it doesn't wait until they
    /// are gone, see Session::end(). No calls may follow.
    void end() noexcept;

    /// Makes this call in the background and discards its result: its kernels are then compiled.
    void expect_check(const std::string& function, std::span<const Value> arguments,
                      std::span<const ValueType> results) override;

    /// What the student's code printed in the usual run (stdout and stderr together, capped).
    [[nodiscard]] std::string output() const { return caller_.output(); }

private:
    class Checker;
    const bool hands_kernels_on_;   ///< the replayer compiles the kernels of the usual run's calls
    Session caller_;
    Session* reference_;
    std::optional<Session> given_;
    std::unique_ptr<Checker> checker_;
};

/// A call to the student's function as the bytes of a file: a protocol::Request with Order::check, then the input
/// memory. `course-runner --replay` repeats the call without a grader. @throws std::length_error if the call is too
/// large.
std::string recorded_call(const std::string& function, std::span<const Value> arguments, double seconds_per_block);

/// One timed call of the reference. @param session a runner without an object (SessionOptions::object is empty)
CallResult call_reference(Session& session, const ReferenceWork& work);

}  // namespace course
