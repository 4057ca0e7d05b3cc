// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include <sys/types.h>

namespace gpu::detail {

/// binutils' addr2line at work on one file: it reads the file's debug information once, and answers as long as this
/// lives. Without such a program every answer is empty.
class Addr2line {
public:
    explicit Addr2line(const std::string& object);
    ~Addr2line();
    Addr2line(const Addr2line&) = delete;
    Addr2line& operator=(const Addr2line&) = delete;

    /// What it says of an address in the file: pairs of lines, a function and its place, the innermost first.
    [[nodiscard]] std::string ask(std::uintptr_t offset);

private:
    void stop() noexcept;

    int socket_ = -1;
    pid_t child_ = -1;
    pid_t owner_;  ///< a forked child of this process can't use the socket
};

}  // namespace gpu::detail
