// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <sys/types.h>

#include "support/process.hpp"

namespace test {

/// `course` at a terminal of its own: what is typed there, and what appears.
class TerminalSession {
public:
    explicit TerminalSession(const course::Command& command);
    ~TerminalSession();
    TerminalSession(const TerminalSession&) = delete;
    TerminalSession& operator=(const TerminalSession&) = delete;

    void type(const std::string& keys) const;
    void signal(int number) const;
    /// Reads until this appears behind what was awaited before, for at most two minutes. False: it didn't.
    bool await(const std::string& text);
    /// All that has appeared, without colours and carriage returns.
    [[nodiscard]] std::string screen() const;
    /// The exit code, or 128 + the signal; -1 if it doesn't end.
    int wait();
    /// True if the terminal shows what is typed, and hands it over by lines: as a shell expects it.
    [[nodiscard]] bool is_as_usual() const;

private:
    void read_some(int milliseconds);

    int terminal_ = -1, kept_ = -1;
    pid_t process_ = -1;
    std::string text_;
    std::size_t awaited_ = 0;
};

}  // namespace test
