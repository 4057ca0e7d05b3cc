// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "verdict/verdict.hpp"

namespace course {

/// Colour for a terminal, and nothing at all for a file, a pipe, TERM=dumb or NO_COLOR.
class Style {
public:
    explicit Style(bool colour = false) noexcept : colour_(colour) {}
    /// What suits the descriptor here and now.
    static Style of_descriptor(int descriptor);

    [[nodiscard]] std::string good(std::string_view text) const { return wrap("\x1b[32m", text); }
    [[nodiscard]] std::string bad(std::string_view text) const { return wrap("\x1b[31m", text); }
    [[nodiscard]] std::string warn(std::string_view text) const { return wrap("\x1b[33m", text); }
    [[nodiscard]] std::string faint(std::string_view text) const { return wrap("\x1b[2m", text); }
    [[nodiscard]] std::string bold(std::string_view text) const { return wrap("\x1b[1m", text); }
    /// Green for passed, yellow for not started, noisy and review, red for the others.
    [[nodiscard]] std::string verdict(Verdict verdict) const;

private:
    [[nodiscard]] std::string wrap(std::string_view code, std::string_view text) const;
    bool colour_;
};

}  // namespace course
