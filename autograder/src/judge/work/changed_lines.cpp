// SPDX-License-Identifier: MIT
#include "judge/work/changed_lines.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manifest/names.hpp"
#include "support/text.hpp"

namespace course {

namespace {

/// A statement without white space and comments, and the line on which it begins.
struct Statement {
    std::string text;
    int line = 0;
};

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Splits C++ into statements: after each `;` outside parentheses, and at the braces of blocks.
class Cutter {
public:
    explicit Cutter(std::string_view text) : text_(text) {}

    std::vector<Statement> cut() {
        while (at_ < text_.size()) step();
        finish();
        return std::move(statements_);
    }

private:
    [[nodiscard]] bool sees(std::string_view what) const { return text_.substr(at_).starts_with(what); }

    void step() {
        const char c = text_[at_];
        if (is_white(c)) {
            space_ = true;
            line_ += c == '\n';
            line_begins_ |= c == '\n';
            ++at_;
        } else if (sees("//")) {
            skip_to(text_.find('\n', at_));
        } else if (sees("/*")) {
            const std::size_t end = text_.find("*/", at_ + 2);
            skip_to(end == text_.npos ? end : end + 2);
        } else if (c == '#' && line_begins_) {
            directive();
        } else if (c == '"' || (c == '\'' && !is_digit_mark())) {
            literal(c);
        } else {
            code(c);
        }
    }

    void skip_to(std::size_t end) {
        end = std::min(end, text_.size());
        line_ += static_cast<int>(std::count(text_.begin() + offset(at_), text_.begin() + offset(end), '\n'));
        at_ = end;
        space_ = true;
    }

    void directive() {
        finish();
        begin();
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        for (; at_ < end && !sees("//"); ++at_) {
            const bool white = is_white(text_[at_]);
            if (!white || !now_.text.ends_with(' ')) now_.text += white ? ' ' : text_[at_];
        }
        while (now_.text.ends_with(' ')) now_.text.pop_back();
        at_ = end;
        finish();
    }

    // 1'000'000
    [[nodiscard]] bool is_digit_mark() const {
        return !space_ && word_ < now_.text.size() && is_digit(now_.text[word_]);
    }

    void literal(char quote) {
        std::size_t end = at_ + 1;
        if (quote == '"' && !now_.text.empty() && now_.text.back() == 'R' && !space_) {   // R"name( ... )name"
            const std::size_t open = std::min(text_.find('(', at_), text_.size());
            const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
            end = text_.find(close, open);
            end = end == text_.npos ? text_.size() : end + close.size();
        } else {
            while (end < text_.size() && text_[end] != quote && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
            end = std::min(end + 1, text_.size());
        }
        begin();
        now_.text += text_.substr(at_, end - at_);
        word_ = now_.text.size();
        skip_to(end);
        space_ = false;
    }

    void code(char c) {
        if (c == '{' && is_block()) {
            open_.push_back('b');
            ++at_;
            return finish();
        }
        if (c == '}' && !open_.empty() && open_.back() == 'b') {
            open_.pop_back();
            ++at_;
            return finish();
        }
        begin();
        if (space_ && !now_.text.empty() && is_of_identifier(now_.text.back()) && is_of_identifier(c)) {
            now_.text += ' ';
            word_ = now_.text.size();
        }
        space_ = false;
        now_.text += c;
        if (!is_of_identifier(c) && c != '\'') word_ = now_.text.size();
        ++at_;
        if (c == '(' || c == '[' || c == '{') open_.push_back(c);
        const bool closes = c == ')' || c == ']' || c == '}';
        if (closes && !open_.empty() && open_.back() != 'b') open_.pop_back();
        if (c == ';' && (open_.empty() || open_.back() == 'b')) finish();
    }

    // False for the braces of a value: int a[] = {1, 2}, {.grid = 1}, Dim3{1, 2} among arguments, return {a, b}.
    [[nodiscard]] bool is_block() const {
        const std::string& before = now_.text;
        if (before.empty() || before.ends_with(')')) return true;
        if (before.back() == '=' || before.back() == ',' || before.back() == '(' || before.ends_with("return"))
            return false;
        const bool in_expression = !open_.empty() && open_.back() != 'b';
        return !in_expression || before.back() == ']';   // a lambda without parameters
    }

    void begin() {
        line_begins_ = false;
        if (now_.text.empty()) now_.line = line_;
    }

    void finish() {
        line_begins_ = false;
        if (now_.text.find_first_not_of(";)}]") != std::string::npos) statements_.push_back(std::move(now_));
        now_ = {};
        word_ = 0;
        space_ = false;
    }

    static std::ptrdiff_t offset(std::size_t place) { return static_cast<std::ptrdiff_t>(place); }

    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1;
    // the beginning of the word at the end of now_'s text: letters, digits and their separators
    std::size_t word_ = 0;
    bool space_ = false, line_begins_ = true;
    std::string open_;   // open brackets, the innermost last: ( [ { of a value, b of a block
    Statement now_;
    std::vector<Statement> statements_;
};

using Statements = std::vector<Statement>;

bool same(const Statement& a, const Statement& b) { return a.text == b.text; }

}  // namespace

ChangedLines changed_lines(std::string_view stub, std::string_view answer) {
    Statements from = Cutter(stub).cut(), to = Cutter(answer).cut();
    const auto begins = std::mismatch(from.begin(), from.end(), to.begin(), to.end(), same);
    from.erase(from.begin(), begins.first);
    to.erase(to.begin(), begins.second);
    while (!from.empty() && !to.empty() && same(from.back(), to.back())) from.pop_back(), to.pop_back();

    ChangedLines result;
    constexpr std::size_t max_cells = 20'000'000;   // for longer answers, only the length matters
    const std::size_t rows = from.size() + 1, columns = to.size() + 1;
    if (rows * columns > max_cells) {
        result.count = static_cast<int>(std::max(from.size(), to.size()));
        result.removed = static_cast<int>(from.size());
        for (const Statement& one : to) result.changed.push_back(one.line);
        return result;
    }
    // The edit distance: fewest[i, j] for the first i statements of the stub and the first j of the answer.
    std::vector<std::uint32_t> min_edits(rows * columns);
    const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return min_edits[i * columns + j]; };
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) {
            if (i == 0 || j == 0) {
                at(i, j) = static_cast<std::uint32_t>(i + j);
                continue;
            }
            const std::uint32_t replaced = at(i - 1, j - 1) + !same(from[i - 1], to[j - 1]);
            at(i, j) = std::min({replaced, at(i - 1, j) + 1, at(i, j - 1) + 1});
        }
    std::size_t i = from.size(), j = to.size();
    result.count = static_cast<int>(at(i, j));
    while (i > 0 || j > 0) {
        if (i > 0 && j > 0 && same(from[i - 1], to[j - 1]) && at(i, j) == at(i - 1, j - 1)) {
            --i, --j;
        } else if (i > 0 && j > 0 && at(i, j) == at(i - 1, j - 1) + 1) {
            result.changed.push_back(to[j - 1].line);
            --i, --j;
        } else if (j > 0 && at(i, j) == at(i, j - 1) + 1) {
            result.changed.push_back(to[--j].line);
        } else {
            ++result.removed;
            --i;
        }
    }
    std::sort(result.changed.begin(), result.changed.end());
    return result;
}

namespace {

/// "9, 11-14": consecutive lines joined, each once.
std::string ranges_text(const std::vector<int>& sorted) {
    std::vector<std::string> parts;
    for (std::size_t k = 0; k < sorted.size();) {
        std::size_t last = k;
        while (last + 1 < sorted.size() && sorted[last + 1] <= sorted[last] + 1) ++last;
        parts.push_back(sorted[last] == sorted[k] ? std::to_string(sorted[k])
                                                  : fmt::format("{}-{}", sorted[k], sorted[last]));
        k = last + 1;
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// "fade.cu: lines 9, 11-14, and 2 lines removed".
std::string places_text(const std::string& file, const ChangedLines& changes) {
    std::vector<std::string> parts;
    const bool one = !changes.changed.empty() && changes.changed.front() == changes.changed.back();
    if (!changes.changed.empty())
        parts.push_back(fmt::format("line{} {}", one ? "" : "s", ranges_text(changes.changed)));
    if (changes.removed > 0)
        parts.push_back(plural(changes.removed, "line") + " removed");
    return fmt::format("{}: {}", file, fmt::join(parts, ", and "));
}

}  // namespace

void judge_changes(const Task& task, const std::map<std::string, ChangedLines>& changes, TaskResult& result) {
    if (!task.changes || result.verdict == Verdict::environment) return;
    int count = 0;
    std::string places;
    for (const std::string& file : task.changes->files) {
        const auto found = changes.find(file);
        if (found == changes.end() || found->second.count == 0) continue;
        count += found->second.count;
        places += "  " + places_text(file, found->second) + "\n";
    }
    BudgetResult budget{.counter = "changed_lines",
                        .case_name = fmt::format("{}", fmt::join(task.changes->files, ", "))};
    budget.counted = count;
    budget.at_most = task.changes->at_most;
    if (!budget.kept() && is_right(result.verdict)) {
        const std::string cure = task.changes->cure.empty()
                                     ? "repair what was given, and leave the rest of it as it was"
                                     : task.changes->cure;
        budget.cause = fmt::format("{} lines of {} are changed, at most {} may be: {}\n{}", count,
                                   fmt::join(task.changes->files, " and "), task.changes->at_most, cure, places) +
                       "  (a statement counts as a line; comments and white space don't count)";
        result.message = budget.cause + (result.message.empty() ? "" : "\n" + result.message);
        budget.decides = true;
        result.verdict = worst(result.verdict, Verdict::not_as_asked);
        result.points = 0;
    }
    result.budgets.push_back(std::move(budget));
}

}  // namespace course
