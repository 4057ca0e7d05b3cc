// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "run/process.hpp"
#include "run/validate_reply.hpp"

namespace course {

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
