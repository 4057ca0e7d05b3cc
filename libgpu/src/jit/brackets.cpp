// SPDX-License-Identifier: MIT
#include "jit/brackets.hpp"

#include <algorithm>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

namespace {

constexpr std::string_view openers = "([{", closers = ")]}";

struct Bracket {
    SourceSpot spot;
    char sign;
};

UnbalancedBracket never_closed(const Bracket& bracket) {
    const std::string sign(1, bracket.sign), missing(1, closers[openers.find(bracket.sign)]);
    return {bracket.spot, "this " + sign + " is never closed: a " + missing + " is missing"};
}

UnbalancedBracket closes_nothing(const Bracket& bracket) {
    const std::string sign(1, bracket.sign), missing(1, openers[closers.find(bracket.sign)]);
    return {bracket.spot,
            "this " + sign + " closes nothing: a " + missing + " is missing before it, or it is one too many"};
}

// The brackets of one piece, as they come.
class Counter {
public:
    explicit Counter(const SourceMap& map) : map_(map) {}

    /// What is wrong now, if it is clear already.
    std::optional<UnbalancedBracket> add(const Bracket& bracket) {
        if (openers.find(bracket.sign) != std::string_view::npos) {
            open_.push_back(bracket);
            return std::nullopt;
        }
        const char partner = openers[closers.find(bracket.sign)];
        if (open_.empty()) return closes_nothing(bracket);
        if (open_.back().sign == partner) {
            close(bracket);
            return std::nullopt;
        }
        // A } that comes where a ) or ] is due, and the other way round.
        return bracket.sign == '}' ? never_closed(open_.back()) : closes_nothing(bracket);
    }

    /// What is left open at the end. Where a } stands further left than the line of the { that it closes, that { was
    /// meant to be closed by another one.
    [[nodiscard]] std::optional<UnbalancedBracket> left_open() const {
        if (open_.empty()) return std::nullopt;
        return never_closed(suspect_ ? *suspect_ : open_.back());
    }

private:
    void close(const Bracket& bracket) {
        const Bracket opened = open_.back();
        open_.pop_back();
        const std::string& line = map_.code(bracket.spot.index);
        const bool leads = line.find_first_not_of(" \t") + 1 == static_cast<std::size_t>(bracket.spot.column);
        const bool further_left = indentation(bracket.spot.index) < indentation(opened.spot.index);
        if (!suspect_ && bracket.sign == '}' && leads && further_left) suspect_ = opened;
    }
    [[nodiscard]] std::size_t indentation(std::size_t line) const {
        return map_.lines()[line].text.find_first_not_of(" \t");
    }

    const SourceMap& map_;
    std::vector<Bracket> open_;
    std::optional<Bracket> suspect_;
};

}  // namespace

std::optional<UnbalancedBracket> unbalanced_bracket(const SourceMap& map) {
    const auto& lines = map.lines();
    for (std::size_t k = 0; k < lines.size();) {
        Counter counter(map);
        if (lines[k].ours) {
            ++k;
            continue;
        }
        for (; k < lines.size() && !lines[k].ours; ++k) {  // included files are part of the piece
            const std::string& code = map.code(k);
            if (map.is_directive(k)) continue;
            for (std::size_t at = 0; at < code.size(); ++at) {
                if (openers.find(code[at]) == std::string_view::npos &&
                    closers.find(code[at]) == std::string_view::npos)
                    continue;
                if (auto wrong = counter.add({{k, static_cast<int>(at) + 1}, code[at]})) return wrong;
            }
        }
        if (auto wrong = counter.left_open()) return wrong;
    }
    return std::nullopt;
}

bool brackets_are_plain(const SourceMap& map) {
    for (std::size_t k = 0; k < map.lines().size(); ++k) {
        const std::string& code = map.code(k);
        if (map.lines()[k].ours || !map.is_directive(k)) continue;
        const auto names = names_in(code);
        const bool guards = !names.empty() && (names[0] == "ifndef" || names[0] == "endif" || names[0] == "include" ||
                                               names[0] == "pragma" || names[0] == "undef");
        const bool plain_macro =
            !names.empty() && names[0] == "define" && code.find_first_of("([{}])") == std::string::npos;
        if (!guards && !plain_macro) return false;
    }
    return true;
}

}  // namespace gpu::detail
