// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "protocol/protocol.hpp"
#include "run/runner/connection.hpp"

namespace course::runner {

/// While it lives, a checked call's work is written down.
class RecordedWork {
public:
    /// Before the call's arguments are put on the device.
    RecordedWork(const protocol::Request& request, std::span<const std::byte> input);
    ~RecordedWork();
    RecordedWork(const RecordedWork&) = delete;
    RecordedWork& operator=(const RecordedWork&) = delete;

    /// Puts the recording behind all else in the output memory, and says so in the reply; or says there why there is
    /// none.
    void deliver(std::span<std::byte> memory, protocol::Reply& reply);

private:
    bool ended_ = false;
};

/// Puts the kernels that have been made since the last time behind all else in the output memory.
void deliver_kernels(std::span<std::byte> memory, protocol::Reply& reply);

/// Answers `compile`: the list comes from a process with a student's code in it, too.
protocol::Reply compiled_answer(Connection& connection, const protocol::Request& request);

/// Answers `replay`: does the work of the recording, which comes from a process with a student's code in it.
protocol::Reply replayed_answer(Connection& connection, const protocol::Request& request);

/// Makes the call that run/session_pair.hpp wrote to a file, in check mode, and prints what that found: for a
/// debugger. Returns the program's exit code.
int replay(const char* file, const char* object);

}  // namespace course::runner
