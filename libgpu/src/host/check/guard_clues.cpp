// SPDX-License-Identifier: MIT
#include "host/check/guard_clues.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "codegen/kernel_scopes.hpp"

namespace gpu::detail::host {

namespace {

using Tokens = std::vector<Token>;

/// Tokens from `begin` to before `end`.
struct Range {
    std::size_t begin = 0, end = 0;
    [[nodiscard]] bool holds(std::size_t k) const { return begin <= k && k < end; }
};

/// A condition that a thread at the access has met, or, in front of a return, has not met.
struct Test {
    Range tokens;
    bool is_met = true;
    bool is_loops = false;
};

bool is_member(const Tokens& tokens, std::size_t k) { return k > 0 && tokens[k - 1].text == "."; }

bool is_comparison(const Tokens& tokens, std::size_t k) {
    const std::string_view text = tokens[k].text;
    const auto beside = [&](std::size_t at) { return at < tokens.size() && tokens[at].text == text; };
    return (text == "<" || text == ">") && !beside(k + 1) && !(k > 0 && beside(k - 1)) &&
           !(k > 0 && tokens[k - 1].text == "-");
}

bool compares(const Tokens& tokens, const Range& range) {
    for (std::size_t k = range.begin; k < range.end; ++k)
        if (is_comparison(tokens, k)) return true;
    return false;
}

/// The body of the function that holds a token.
Range function_around(const Tokens& tokens, std::size_t at) {
    const std::vector<bool> within = within_functions(tokens);
    Range body{at, at};
    while (body.begin > 0 && within[body.begin - 1]) --body.begin;
    while (body.end < tokens.size() && within[body.end]) ++body.end;
    return body;
}

/// From a function's first word to its body.
Range head_of(const Tokens& tokens, const Range& body) {
    Range head{body.begin, body.begin};
    while (head.begin > 0 && (head.begin == body.begin ||
                              (tokens[head.begin - 1].text != "}" && tokens[head.begin - 1].text != ";")))
        --head.begin;
    return head;
}

/// The array's mention in its line; the line's last token where the name is another one there.
std::optional<std::size_t> access_in(const Tokens& tokens, const std::string& array, int line) {
    std::optional<std::size_t> last;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].line != line || tokens[k].in_directive) continue;
        if (tokens[k].text == array && k + 1 < tokens.size() && tokens[k + 1].text == "[") return k;
        last = k;
    }
    return last;
}

bool begins_with_exit(const Tokens& tokens, std::size_t k) {
    if (k < tokens.size() && tokens[k].text == "{") ++k;
    return k < tokens.size() && (tokens[k].text == "return" || tokens[k].text == "continue");
}

/// All tests on the way to the access that compare something, in the text's order.
std::vector<Test> tests_before(const Tokens& tokens, std::size_t access, const Range& body) {
    std::vector<Test> tests;
    const std::vector<ControlStatement> statements = control_statements(tokens);
    for (const ControlStatement& one : statements) {
        if (!body.holds(one.begin) || one.begin > access) continue;
        const std::string_view word = tokens[one.begin].text;
        if (word != "if" && word != "for" && word != "while") continue;
        const std::size_t open = find_token(tokens, "(", one.begin), close = closing(tokens, open);
        if (close >= tokens.size()) continue;
        Test test{{open + 1, close}, true, one.is_loop};
        if (word == "for") {
            test.tokens.begin = find_token(tokens, ";", open) + 1;
            test.tokens.end = find_token(tokens, ";", test.tokens.begin);
            if (test.tokens.end > close) continue;
        }
        if (!one.holds(access)) {
            const auto may_skip = [&](const ControlStatement& other) {
                return other.begin != one.begin && other.holds(one.begin) && !other.holds(access);
            };
            if (one.is_loop || !begins_with_exit(tokens, close + 1) ||
                std::any_of(statements.begin(), statements.end(), may_skip))
                continue;
            test.is_met = false;
        } else if (test.tokens.holds(access)) {
            test.tokens.end = access;   // i < n && x[i] > 0
            while (test.tokens.end > test.tokens.begin && tokens[test.tokens.end - 1].text != "&") --test.tokens.end;
            test.tokens.end -= std::min<std::size_t>(test.tokens.end - test.tokens.begin, 2);
        } else if (access < close) {
            continue;
        }
        if (compares(tokens, test.tokens)) tests.push_back(test);
    }
    // i < n ? x[i] : 0
    std::size_t start = access, question = access;
    while (start > body.begin && tokens[start - 1].text != ";" && tokens[start - 1].text != "{" &&
           tokens[start - 1].text != "}" && tokens[start - 1].text != "=" && tokens[start - 1].text != "return") {
        --start;
        if (tokens[start].text == "?") question = start;
    }
    const bool is_first_side = find_token(tokens, ":", question) > access;
    if (question < access && is_first_side && compares(tokens, {start, question})) tests.push_back({{start, question}});
    std::sort(tests.begin(), tests.end(),
              [](const Test& a, const Test& b) { return a.tokens.begin < b.tokens.begin; });
    return tests;
}

std::optional<std::int64_t> value_of(const RawFinding& outside, const Tokens& tokens, const Range& head,
                                     std::string_view name) {
    constexpr std::string_view types[] = {"int",     "unsigned", "long",     "size_t",
                                          "int32_t", "int64_t",  "uint32_t", "uint64_t"};
    for (std::size_t k = head.begin + 1; k < head.end; ++k) {
        if (tokens[k].text != name) continue;
        if (std::find(std::begin(types), std::end(types), tokens[k - 1].text) == std::end(types)) continue;
        for (const auto& [known, value] : outside.integers)
            if (known == name) return value;
    }
    return std::nullopt;
}

/// "n is 31, rows is 4": the launch's integers that the ranges name.
std::string values_text(const RawFinding& outside, const Tokens& tokens, const Range& head,
                        std::initializer_list<Range> ranges) {
    std::string text;
    for (const auto& [name, number] : outside.integers) {
        const auto is_name = [&](const Range& range) {
            for (std::size_t k = range.begin; k < range.end; ++k)
                if (tokens[k].text == name && !is_member(tokens, k)) return true;
            return false;
        };
        if (std::any_of(ranges.begin(), ranges.end(), is_name) && value_of(outside, tokens, head, name))
            text += (text.empty() ? "" : ", ") + name + " is " + std::to_string(number);
    }
    return text;
}

std::string source_of(const Tokens& tokens, const Range& range) {
    std::string text;
    const char* const begin = tokens[range.begin].text.data();
    const Token& last = tokens[range.end - 1];
    for (const char c : std::string_view(begin, last.end() - tokens[range.begin].offset))
        if (const bool is_space = c == ' ' || c == '\n' || c == '\t'; !is_space || !text.ends_with(' '))
            text += is_space ? ' ' : c;
    return text;
}

/// What the tests of an access that goes outside tell of it.
class Clue {
public:
    Clue(const RawFinding& outside, const Tokens& tokens, int first_line, const std::string& kernel, std::size_t access)
        : outside_(outside), tokens_(tokens), first_line_(first_line), access_(access),
          body_(function_around(tokens, access)), head_(head_of(tokens, body_)) {
        const auto names = [&](std::string_view name) {
            return std::any_of(at(head_.begin), at(head_.end), [&](const Token& one) { return one.text == name; });
        };
        if (!names("__global__") || !names(bare_name(kernel))) head_.end = head_.begin;   // the values are the kernel's
    }

    [[nodiscard]] std::string advice() const {
        std::vector<Test> tests = tests_before(tokens_, access_, body_);
        std::erase_if(tests, [this](const Test& one) { return !is_about_index(one); });
        if (std::string text = block_without_place(); !text.empty()) return text;
        for (const Test& one : tests)
            if (std::string text = one_too_many(one); !text.empty()) return text;
        if (tests.empty() || !outside_.advice.empty()) return {};
        for (const Test& one : tests)
            if (std::string text = other_length(one); !text.empty()) return text;
        return let_through(tests);
    }

private:
    [[nodiscard]] Tokens::const_iterator at(std::size_t k) const {
        return tokens_.begin() + static_cast<std::ptrdiff_t>(k);
    }
    [[nodiscard]] Range index() const {
        if (access_ + 1 >= tokens_.size() || tokens_[access_ + 1].text != "[") return {access_, access_};
        return {access_ + 2, std::min(closing(tokens_, access_ + 1), tokens_.size())};
    }
    [[nodiscard]] std::string named(const Test& test) const {
        return std::string("the ") + (test.is_loops ? "loop's condition" : "guard") + " in line " +
               std::to_string(tokens_[test.tokens.begin].line + first_line_ - 1) + ", " +
               source_of(tokens_, test.tokens) + ",";
    }
    [[nodiscard]] std::optional<std::int64_t> value(std::size_t k) const {
        const std::string_view text = tokens_[k].text;
        if (std::all_of(text.begin(), text.end(), is_digit)) return std::atoll(std::string(text).c_str());
        return value_of(outside_, tokens_, head_, text);
    }
    // It names what the index names, or compares with one of the launch's integers.
    [[nodiscard]] bool is_about_index(const Test& test) const {
        const Range used = index();
        for (std::size_t k = test.tokens.begin; k < test.tokens.end; ++k) {
            if (!tokens_[k].is_name() || is_member(tokens_, k)) continue;
            if (value(k)) return true;
            const auto same = [&](const Token& one) { return one.text == tokens_[k].text; };
            if (std::any_of(at(used.begin), at(used.end), same)) return true;
        }
        return false;
    }

    // The last two of them, which stand nearest.
    [[nodiscard]] std::string let_through(const std::vector<Test>& tests) const {
        const bool is_one = tests.size() == 1;
        const Test &last = tests.back(), &first = is_one ? last : tests[tests.size() - 2];
        const std::string numbers = values_text(outside_, tokens_, head_, {first.tokens, last.tokens});
        const std::string question =
            outside_.has_own_element
                ? std::string("check how this index is computed, and what ") + (is_one ? "it compares" : "they compare")
                : std::string(is_one ? "does it" : "do they") + " compare each index with its own bound?";
        return (is_one ? "" : named(first) + " and ") + named(last) + (is_one ? " lets" : " let") + " this " +
               (last.is_loops ? "index" : "thread") + " through" + (numbers.empty() ? "" : " (" + numbers + ")") +
               ": " + question;
    }

    // x[blockIdx.x], or x + blockIdx.x * columns, in a launch of more blocks than elements or rows
    [[nodiscard]] std::string block_without_place() const {
        const std::int64_t block = outside_.action.block.x, place = outside_.length + outside_.beyond - 1;
        const auto lacks = [&](const std::string& what, const std::string& there) {
            return "block " + std::to_string(block) + " has no " + what + " here: the launch has " +
                   std::to_string(outside_.blocks) + " blocks along x, and " + there;
        };
        if (source_of_or_none(index()) == "blockIdx.x" && block == place) return lacks("element", elements());
        for (std::size_t k = body_.begin; k + 4 < body_.end; ++k) {   // blockIdx . x * columns
            if (tokens_[k].text != "blockIdx" || tokens_[k + 2].text != "x" || tokens_[k + 3].text != "*") continue;
            const std::int64_t columns = value(k + 4).value_or(0);
            if (columns < 2 || outside_.length % columns != 0 || place / columns != block) continue;
            const std::int64_t rows = outside_.length / columns;
            return lacks("row", outside_.variable + " has " + std::to_string(rows) +
                                    (rows == 1 ? " row of " : " rows of ") + std::to_string(columns));
        }
        return {};
    }
    [[nodiscard]] std::string source_of_or_none(const Range& range) const {
        return range.begin < range.end ? source_of(tokens_, range) : "";
    }
    [[nodiscard]] std::string elements() const {
        return outside_.variable + " has " + std::to_string(outside_.length) +
               (outside_.length == 1 ? " element" : " elements");
    }

    // i <= n, or if (i > n) return: the index is as far out as a line or an element too many takes it.
    [[nodiscard]] std::string one_too_many(const Test& test) const {
        const Range& range = test.tokens;
        const auto is_edge = [&](std::size_t k) {
            return k < range.begin || k >= range.end || tokens_[k].text == "&" || tokens_[k].text == "|";
        };
        const std::string_view sign = test.is_met ? "<" : ">";
        for (std::size_t k = range.begin + 1; k + 1 < range.end; ++k) {
            const bool with_equal = tokens_[k + 1].text == "=";
            const std::size_t right = with_equal ? k + 2 : k + 1;
            if (!is_comparison(tokens_, k) || tokens_[k].text != sign || with_equal != test.is_met) continue;
            if (right >= range.end || !tokens_[k - 1].is_name() || !is_edge(k - 2) || !is_edge(right + 1)) continue;
            const std::optional<std::int64_t> bound = value(right);
            if (!bound || *bound < 1 || outside_.length % *bound != 0) continue;
            if (outside_.beyond > outside_.length / *bound) continue;   // further out than that explains
            const std::string name(tokens_[k - 1].text), limit(tokens_[right].text);
            return name + (test.is_met ? " <= " : " > ") + limit + " in line " +
                   std::to_string(tokens_[k].line + first_line_ - 1) + " lets " + name + " be " + limit +
                   ", one too many where the first is 0: compare with " + (test.is_met ? "<" : ">=");
        }
        return {};
    }

    // i < n, where n is another array's length
    [[nodiscard]] std::string other_length(const Test& test) const {
        for (std::size_t k = test.tokens.begin; k < test.tokens.end; ++k) {
            if (!tokens_[k].is_name() || is_member(tokens_, k)) continue;
            const std::optional<std::int64_t> bound = value(k);
            if (!bound || *bound <= outside_.length) continue;
            return named(test) + " lets it through: the launch passes " + std::to_string(*bound) + " as " +
                   std::string(tokens_[k].text) + ", and " + elements();
        }
        return {};
    }

    const RawFinding& outside_;
    const Tokens& tokens_;
    const int first_line_;
    const std::size_t access_;
    Range body_, head_;
};

}  // namespace

void add_far_clue(RawFinding& outside, const Tokens& tokens, int first_line) {
    const int line = outside.action.place.line - first_line + 1;
    const auto is_named = [&](const FarArray& array) {
        return std::any_of(tokens.begin(), tokens.end(), [&](const Token& token) {
            return token.line == line && !token.in_directive && token.text == array.name;
        });
    };
    const auto array = std::find_if(outside.far_arrays.begin(), outside.far_arrays.end(), is_named);
    if (array == outside.far_arrays.end() || std::count_if(array, outside.far_arrays.end(), is_named) != 1) return;
    constexpr long ints = 1L << 32, near_zero = 1L << 20;
    const long index = array->index;
    if (index < -(ints / 2) || index >= ints) return;  // by no int
    outside.variable = array->name;
    outside.element = array->name + '[' + std::to_string(index) + ']';
    outside.extent = array->name + " (" + std::to_string(array->length) + " elements of " +
                     std::to_string(array->element) + " bytes)";
    outside.beyond = index < 0 ? index : index - array->length + 1;
    if (index < -near_zero)
        outside.advice = "an int goes on at -2147483648 after 2147483647: was this index to be " +
                         std::to_string(index + ints) + "? Compute it in long long, as in " +
                         "static_cast<long long>(row) * columns";
    else if (index >= ints - near_zero)
        outside.advice = "an unsigned number goes on at 4294967295 below 0: was this index to be " +
                         std::to_string(index - ints) + "? Compute it as an int, and leave out what is below 0";
}

void add_guard_clue(RawFinding& outside, const Tokens& tokens, int first_line, const std::string& kernel) {
    if (outside.space != Space::global || outside.beyond <= 0 || outside.length <= 0) return;
    if (!has_name(tokens, "__global__")) {
        if (outside.advice.empty())
            outside.advice = "the code runs for elements that exist, so a guard wouldn't help: check how the index "
                             "into " + outside.variable + " is computed, which must stay below " +
                             std::to_string(outside.length);
        return;
    }
    const auto access = access_in(tokens, outside.variable, outside.action.place.line - first_line + 1);
    if (!access) return;
    if (std::string advice = Clue(outside, tokens, first_line, kernel, *access).advice(); !advice.empty())
        outside.advice = std::move(advice);
}

}  // namespace gpu::detail::host
