// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "run/protocol.hpp"

namespace course {

/// An argument or a result on the grader's side: its own copy of the bytes, row-major.
struct Value {
    protocol::Place place = protocol::Place::scalar;
    protocol::Type type = protocol::Type::float32;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;
};

/// What a call may give back, from the manifest; a reply that differs is the student's error, never trusted.
using protocol::ValueType;

/// How a call to the student's function ended.
enum class Outcome {
    returned,
    kernel_does_not_compile,
    kernel_fault,
    exception,
    missing_function,   ///< unknown function, or other argument types than the manifest's
    bad_reply,          ///< the runner broke the protocol (a lying or damaged runner)
    crashed,            ///< died of a signal
    exited,             ///< ended itself: exit(0) in the student's code
    timed_out,
    out_of_memory,
    no_device,          ///< environment
    cannot_load,
};

struct CallReply {
    Outcome outcome = Outcome::returned;
    std::string message;             ///< what to tell the student: sanitised, at most a few lines
    std::vector<Value> results;      ///< returned values, then in/out arguments, validated against the manifest's types
    std::vector<Value> inputs_after; ///< the array arguments as they were after the call
    protocol::CountsRecord counts{};
    double seconds = 0;              ///< the grader's clock: go -> done for timed calls, else request -> reply
};

struct SessionOptions {
    std::filesystem::path runner;    ///< course-runner
    std::filesystem::path object;    ///< the student's shared object
    std::filesystem::path scratch;   ///< the runner's working folder, HOME and TMPDIR
    std::filesystem::path kernel_cache;      ///< LIBGPU_CACHE_DIR for it
    std::string device = "host";             ///< LIBGPU_DEVICE for it
    double call_seconds = 10;                ///< limit of one call
    std::size_t memory_bytes = std::size_t{4} << 30;  ///< resident memory of the runner and what it starts
};

/// One runner process and the grader's end of the protocol. The destructor leaves no process behind.
///
/// After an outcome in which the runner died or had to be killed, the next call starts a fresh one.
class Session {
public:
    explicit Session(SessionOptions options);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Calls the student's function. `results` are the types that the reply must have.
    CallReply call(const std::string& function, std::span<const Value> arguments, std::span<const ValueType> results);

    /// The same with the clock on the call alone: inputs are on the device before it starts. One call, fresh inputs.
    CallReply timed_call(const std::string& function, std::span<const Value> arguments,
                         std::span<const ValueType> results);

    /// What the student's code has printed so far (stdout and stderr together, capped).
    [[nodiscard]] std::string output() const;

private:
    class Process;
    SessionOptions options_;
    std::unique_ptr<Process> process_;
    std::string printed_;
};

/// Kills every process that this program has started and that is still alive; called at the end and on Ctrl-C.
void kill_leftover_processes() noexcept;

}  // namespace course
