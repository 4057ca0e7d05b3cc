// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <system_error>

namespace course {

/// Throws what errno says of a system call that has just failed.
[[noreturn]] inline void throw_errno(const char* operation) {
    throw std::system_error(errno, std::generic_category(), operation);
}

}  // namespace course
