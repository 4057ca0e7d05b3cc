// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "run/caller.hpp"
#include "run/process.hpp"

// The pure part of the grader's distrust: is this reply one that an honest runner could have sent?
namespace course {

/// A reply that no honest runner sends; the text completes "the runner broke the protocol: ...".
class BadReply : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Checks what every reply must have. `loading` and `started` carry sequence 0.
/// @throws BadReply
void validate_header(const protocol::Reply& reply, std::uint64_t sequence);

/// Checks the values of a `done` reply against what was called and what the manifest says it returns, and copies them
/// out of the shared memory, once: the runner may write there while this reads. Of results that are far larger than
/// what they were made from, and of inputs with another shape than before, it takes the shapes alone (Value::left_out).
/// @param inputs_returned whether the request asked for the inputs
/// @param max_bytes the most that all values may have together
/// @throws BadReply
void take_values(const protocol::Reply& reply, std::span<const std::byte> memory, std::span<const Value> arguments,
                 std::span<const ValueType> results, bool inputs_returned, std::size_t max_bytes, CallReply& taken);

/// Copies the recording of a call out of the shared memory. Nobody but a runner without an object looks at it.
/// @throws BadReply
void take_recording(const protocol::Reply& reply, std::span<const std::byte> memory, CallReply& taken);

/// Bytes of one element.
std::size_t size_of(protocol::Type type) noexcept;

/// The bytes at the start of the output memory that a valid reply's values, check record and recording lie in.
std::size_t used_bytes(const protocol::Reply& reply) noexcept;

/// A call that gave no results: thrown inside the session, returned by it.
struct CallEnded {
    CallReply reply;
    bool runner_lost = true;   ///< it died, or can't be trusted with another call
};

/// What it means for the student that the runner sent no valid message, with the limits that were in force.
CallEnded ending_of(const Waited& waited, double seconds, const SessionOptions& limits);

/// What a reply says that isn't `done`, `ready`, `started` or `loading`.
CallEnded ending_of(const protocol::Reply& reply);

/// After the student's code has run, no further runner could be started.
CallEnded ending_of_restart(const std::string& why);

CallEnded broken_protocol(const std::string& what);

/// "segmentation fault (SIGSEGV)".
std::string describe_signal(int number);

}  // namespace course
