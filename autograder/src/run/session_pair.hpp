// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "run/caller.hpp"
#include "run/session.hpp"

namespace course {

/// A student's object in two runners that share nothing: one for calls, on any device, and one for checked calls, which
/// is on the host backend and which a thread of its own looks after. What the code prints in check mode isn't kept: it
/// has been printed in the usual run.
class SessionPair : public Caller {
public:
    /// @param checked of the second runner: its own folders; its device is the host whatever they say
    /// @param reference the runner without an object, of the same device; null: there is none
    /// @param given of the runner for given_call(): the exercise's own functions and its own folders, no student's
    /// code;
    ///        none: the first runner takes these calls
    /// @param replayer of the runner that does again what checked calls asked of the device, without an object, on the
    ///        host: its own folders; none: nothing is replayed. If `usual` writes down its kernels, the replayer
    ///        compiles them for check mode, and `checked` gets copies
    SessionPair(const SessionOptions& usual, SessionOptions checked,
                Session* reference = nullptr, const std::optional<SessionOptions>& given = {},
                std::optional<SessionOptions> replayer = {});
    ~SessionPair() override;
    SessionPair(const SessionPair&) = delete;
    SessionPair& operator=(const SessionPair&) = delete;

    /// @throws std::runtime_error as Session does.
    CallReply call(const std::string& function, std::span<const Value> arguments,
                   std::span<const ValueType> results) override;
    CallReply timed_call(const std::string& function, std::span<const Value> arguments,
                         std::span<const ValueType> results) override;
    CallReply check_call(const std::string& function, std::span<const Value> arguments,
                         std::span<const ValueType> results, const CheckLimits& limits) override;

    std::optional<CallReply> replay_call(const Bytes& recording, std::span<const Value> arguments,
                                         std::span<const ValueType> results, const CheckLimits& limits) override;

    CallReply compile_kernel(const std::string& file, const std::string& name, std::string_view text) override;

    CallReply given_call(const std::string& function, std::span<const Value> arguments,
                         std::span<const ValueType> results) override;

    CallReply ledger_call(const std::string& function, std::span<const Value> arguments,
                          std::span<const ValueType> results) override;

    std::optional<CallReply> reference_call(const ReferenceWork& work) override;

    /// Starts all runners that calls are made in, the student's first, without waiting for them: a GPU's context takes
    /// its time.
    void begin();

    /// Kills all runners: nothing of the student's runs any more. For those of calls it doesn't wait until they are
    /// gone, see Session::end(). No calls after it.
    void end() noexcept;

    /// Makes this call in the background, and forgets what it gives: its kernels are compiled then.
    void expect_check(const std::string& function, std::span<const Value> arguments,
                      std::span<const ValueType> results) override;

    /// What the student's code has printed in the usual run (stdout and stderr together, capped).
    [[nodiscard]] std::string output() const { return caller_.output(); }

private:
    class Checker;
    const bool hands_kernels_on_;   ///< the replayer compiles what the usual run's calls make
    Session caller_;
    Session* reference_;
    std::optional<Session> given_;
    std::unique_ptr<Checker> checker_;
};

/// A call to the student's function as a file's bytes: a protocol::Request with Order::check, then the input memory.
/// `course-runner --replay` makes the call again, without a grader. @throws std::length_error if the call is too large.
std::string recorded_call(const std::string& function, std::span<const Value> arguments, double seconds_per_block);

/// One timed call of the reference. @param session of a runner without an object (SessionOptions::object is empty)
CallReply call_reference(Session& session, const ReferenceWork& work);

}  // namespace course
