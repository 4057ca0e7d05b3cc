// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "protocol/protocol.hpp"
#include "run/runner/connection.hpp"

namespace course::runner {

/// Records a checked call's work while it exists.
class RecordedWork {
public:
    /// Create it before the call's arguments are copied to the device.
    RecordedWork(const protocol::Request& request, std::span<const std::byte> input);
    ~RecordedWork();
    RecordedWork(const RecordedWork&) = delete;
    RecordedWork& operator=(const RecordedWork&) = delete;

    /// Appends the recording to the output memory, and records this in the reply, or the reason why there is none.
    void deliver(std::span<std::byte> memory, protocol::Reply& reply);

private:
    bool ended_ = false;
};

/// Appends the kernels compiled since the last time to the output memory.
void deliver_kernels(std::span<std::byte> memory, protocol::Reply& reply);

/// Answers `compile`: the list comes from a process that also runs a student's code.
protocol::Reply compiled_answer(Connection& connection, const protocol::Request& request);

/// Answers `replay`: replays a recording that comes from a process that also runs a student's code.
protocol::Reply replayed_answer(Connection& connection, const protocol::Request& request);

/// For a debugger a call is repeated in check mode, whose findings are printed; for a profiler as it is.
enum class Replay { in_check_mode, as_it_is };

/// Repeats the call that run/session_pair.hpp wrote to a file. Returns the program's exit code.
int replay(const char* file, const char* object, Replay how);

}  // namespace course::runner
