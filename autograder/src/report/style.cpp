// SPDX-License-Identifier: MIT
#include "report/style.hpp"

#include <cstdlib>

#include <unistd.h>

namespace course {

Style Style::of_descriptor(int descriptor) {
    const char* no_colour = std::getenv("NO_COLOR");   // no-color.org: present and not empty
    const char* terminal = std::getenv("TERM");
    const bool dumb = !terminal || !*terminal || std::string_view(terminal) == "dumb";
    return Style(::isatty(descriptor) == 1 && !(no_colour && *no_colour) && !dumb);
}

std::string Style::wrap(std::string_view code, std::string_view text) const {
    if (!colour_) return std::string(text);
    std::string result(code);
    result += text;
    result += "\x1b[0m";
    return result;
}

std::string Style::verdict(Verdict verdict) const {
    const std::string_view text = to_string(verdict);
    if (verdict == Verdict::passed) return good(text);
    if (verdict == Verdict::noisy || verdict == Verdict::review || verdict == Verdict::not_started) return warn(text);
    return bad(text);
}

}  // namespace course
