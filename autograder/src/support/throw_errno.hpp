// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

namespace course {

/// Throws what errno says of a system call that has just failed.
[[noreturn]] inline void throw_errno(const char* operation) {
    throw std::system_error(errno, std::generic_category(), operation);
}

/// What the error says; where a thread or a process was refused, that, and what to do.
inline std::string explained(const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) return error.what();
    return std::string("no thread or process can be started: ") + error.what() +
           "\nThis user runs as many as it may (ulimit -u says how many). End some, or raise that limit";
}

}  // namespace course
