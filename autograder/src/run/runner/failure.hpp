// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "protocol/protocol.hpp"

namespace course::runner {

/// What went wrong, for a reply.
struct Failure {
    protocol::Status status;
    std::string message;
};

/// The exception that is being handled: a compile error, a kernel's fault, or "type: text" of any other.
Failure current_failure() noexcept;

/// "gpu::ShapeError" of "N3gpu10ShapeErrorE"; the name itself if it isn't mangled.
std::string demangle(const char* name);

}  // namespace course::runner
