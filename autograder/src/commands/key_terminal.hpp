// SPDX-License-Identifier: MIT
#pragma once

#include "support/process.hpp"

namespace course {

/// Standard input gives each key at once and shows none of them; Ctrl-C and Ctrl-Z work as ever. The terminal is as it
/// was before at the end of the scope, at a signal that ends the program, at a crash, and while the program is stopped.
/// At most one at a time.
class KeyTerminal {
public:
    KeyTerminal();
    ~KeyTerminal();
    KeyTerminal(const KeyTerminal&) = delete;
    KeyTerminal& operator=(const KeyTerminal&) = delete;

    /// True if standard input and output are a terminal.
    static bool is_there() noexcept;

private:
    AtSignal at_signal_;
};

}  // namespace course
