// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "run/caller.hpp"
#include "run/process.hpp"

// The pure part of the grader's distrust: could an honest runner have sent this reply?
namespace course {

/// A reply that no honest runner could have sent; the text completes "the runner broke the protocol: ...".
class BadReply : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Checks what every reply must contain. `loading` and `started` have sequence 0.
/// @throws BadReply
void validate_header(const protocol::Reply& reply, std::uint64_t sequence);

/// Checks the values of a `done` reply against the call and the manifest's result types, and copies them out of the
/// shared memory, once: the runner may write there meanwhile. For results that are far larger than their arguments, and
/// for inputs with a changed shape, it takes only the shapes (Value::left_out).
/// @param inputs_returned whether the request asked for the inputs
/// @param max_bytes the maximum for all values together
/// @throws BadReply
void take_values(const protocol::Reply& reply, std::span<const std::byte> memory, std::span<const Value> arguments,
                 std::span<const ValueType> results, bool inputs_returned, std::size_t max_bytes, CallResult& taken);

/// Copies the recording of a call out of the shared memory. Only a runner without an object examines it.
/// @throws BadReply
void take_recording(const protocol::Reply& reply, std::span<const std::byte> memory, CallResult& taken);

/// Bytes per element.
std::size_t size_of(protocol::Type type) noexcept;

/// The bytes at the start of the output memory occupied by a valid reply's values, check record and recording.
std::size_t used_bytes(const protocol::Reply& reply) noexcept;

/// A call without results: thrown inside the session, returned by it.
struct CallEnded {
    CallResult reply;
    bool runner_lost = true;   ///< it died, or can't be trusted with another call
};

/// What it means for the student that the runner sent no valid message, given the limits in force.
CallEnded ending_of(const Waited& waited, double seconds, const SessionOptions& limits);

/// The outcome of a reply other than `done`, `ready`, `started` or `loading`.
CallEnded ending_of(const protocol::Reply& reply);

/// The outcome if no further runner could be started after the student's code has run.
CallEnded ending_of_restart(const std::string& why);

CallEnded broken_protocol(const std::string& what);

/// "segmentation fault (SIGSEGV)".
std::string describe_signal(int number);

}  // namespace course
