// SPDX-License-Identifier: MIT
#include "host/check/clues.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base.hpp"
#include "codegen/kernel_tokens.hpp"

namespace gpu::detail::host {

namespace {

using Tokens = std::vector<Token>;

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

bool is_barrier(const Token& token) {
    return token.is_name() && !token.in_directive && (token.text.starts_with("__syncthreads") || token.text == "sync");
}

struct FunctionBody {
    std::string name;
    bool is_kernel = false;
    std::size_t begin = 0, end = 0;
};

std::vector<FunctionBody> functions_in(const Tokens& tokens) {
    std::vector<FunctionBody> functions;
    const std::vector<bool> within = within_functions(tokens);
    for (const Declaration& one : declarations_in(tokens)) {
        if (!one.has_body || one.tokens.empty()) continue;
        FunctionBody function;
        for (std::size_t k = 0; k < one.tokens.size(); ++k) {
            const Token& token = tokens[one.tokens[k]];
            function.is_kernel = function.is_kernel || token.text == "__global__";
            const bool before_round = k + 1 < one.tokens.size() && tokens[one.tokens[k + 1]].text == "(";
            if (token.is_name() && before_round && !token.text.starts_with("__launch_bounds"))
                if (function.name.empty()) function.name = token.text;
        }
        function.begin = one.tokens.back() + 1;
        function.end = function.begin;
        while (function.end < tokens.size() && tokens[function.end].text != "{") ++function.end;
        function.end = closing(tokens, function.end);
        functions.push_back(std::move(function));
    }
    return functions;
}

const FunctionBody* function_at(const std::vector<FunctionBody>& functions, const Tokens& tokens, int line) {
    for (const FunctionBody& one : functions) {
        const std::size_t last = std::min(one.end, tokens.size() - 1);
        if (one.begin < tokens.size() && tokens[one.begin].line <= line && line <= tokens[last].line) return &one;
    }
    return nullptr;
}

// The first or last mention of a variable in a line; the line's first token if it has another name there.
std::size_t mention(const Tokens& tokens, const std::string& variable, int line, bool last) {
    std::size_t found = nowhere, any = nowhere;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].line != line || tokens[k].in_directive) continue;
        if (any == nowhere) any = k;
        if (tokens[k].text == variable && (found == nowhere || last)) found = k;
    }
    return found == nowhere ? any : found;
}

// The atomic that does max(x[i], v) or max(v, x[i]) in one step, but not max(factor * x[i], v).
std::string_view extreme_of(const Tokens& tokens, const std::string& variable, int line) {
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
        const bool takes_max = is_one_of(tokens[k].text, {"max", "fmaxf", "fmax"});
        const bool takes_min = is_one_of(tokens[k].text, {"min", "fminf", "fmin"});
        if (tokens[k].line != line || (!takes_max && !takes_min) || tokens[k + 1].text != "(") continue;
        const std::size_t open = k + 1, close = closing(tokens, open);
        for (std::size_t at = open + 1; at + 1 < close && close < tokens.size(); ++at) {
            if (tokens[at].text != variable || tokens[at + 1].text != "[") continue;
            const std::size_t behind = closing(tokens, at + 1) + 1;
            const bool is_first = at == open + 1 && behind < close && tokens[behind].text == ",";
            if (is_first || (tokens[at - 1].text == "," && behind == close))
                return takes_max ? "atomicMax(), which takes integers" : "atomicMin(), which takes integers";
        }
    }
    return {};
}

// The atomic that does x[i] += v, x[i] = x[i] + v, ... in one step; empty if the line's operation isn't clear.
std::string_view atomic_of(const Tokens& tokens, const std::string& variable, int line) {
    std::vector<std::string_view> words;
    for (const Token& token : tokens)
        if (token.line == line && !token.in_directive) words.push_back(token.text);
    const auto pair = [&](std::string_view a, std::string_view b) {
        for (std::size_t k = 0; k + 1 < words.size(); ++k)
            if (words[k] == a && words[k + 1] == b) return true;
        return false;
    };
    constexpr std::string_view subtract = "atomicAdd() of the negative number";
    constexpr std::pair<std::string_view, std::string_view> operations[] = {
        {"+", "atomicAdd()"}, {"-", subtract},        {"|", "atomicOr()"},
        {"&", "atomicAnd()"}, {"^", "atomicXor()"}, {"*", "a loop of atomicCAS(), as no atomic multiplies"}};
    for (const auto& [sign, name] : operations)
        if (pair(sign, "=")) return name;
    if (std::string_view name = extreme_of(tokens, variable, line); !name.empty()) return name;
    const auto first = std::find(words.begin(), words.end(), variable);
    const auto close = std::find(first, words.end(), "]");
    if (close == words.end()) return {};
    if (close + 2 < words.end() && close[1] == "+" && close[2] == "+") return "atomicAdd()";
    if (close + 2 < words.end() && close[1] == "-" && close[2] == "-") return subtract;
    if (pair("+", "+") && first >= words.begin() + 2 && first[-1] == "+" && first[-2] == "+") return "atomicAdd()";
    // x[...] = x[...] + v
    if (close + 2 >= words.end() || close[1] != "=" || close[2] != variable) return {};
    const auto second = std::find(close + 2, words.end(), "]");
    if (second == words.end() || second + 1 == words.end()) return {};
    for (const auto& [sign, name] : operations)
        if (second[1] == sign) return name;
    return {};
}

// True if the line reads a neighbour of the thread's element: x[i - 1], x[i + 2].
bool reads_neighbour(const Tokens& tokens, const std::string& variable, int line) {
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
        if (tokens[k].line != line || tokens[k].text != variable || tokens[k + 1].text != "[") continue;
        const std::size_t end = closing(tokens, k + 1);
        const auto is_block = [](const Token& token) { return token.text.find("block") != std::string_view::npos; };
        if (std::any_of(&tokens[k + 2], &tokens[std::min(end, tokens.size() - 1)], is_block)) continue;
        for (std::size_t j = k + 2; j + 1 < end && j + 1 < tokens.size(); ++j)
            if ((tokens[j].text == "+" || tokens[j].text == "-") && tokens[j + 1].kind == TokenKind::number)
                return true;
    }
    return false;
}

// x[i] = f(x[i]): True if the line writes the element that it has read.
bool updates_element(const Tokens& tokens, const std::string& variable, int line) {
    std::vector<std::string> indices;
    bool is_assigned = false;
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
        if (tokens[k].line != line || tokens[k].text != variable || tokens[k + 1].text != "[") continue;
        const std::size_t end = closing(tokens, k + 1);
        std::string index;
        for (std::size_t j = k + 2; j < std::min(end, tokens.size()); ++j) index += std::string(tokens[j].text) + ' ';
        indices.push_back(std::move(index));
        if (indices.size() == 1) is_assigned = end + 1 < tokens.size() && tokens[end + 1].text == "=";
    }
    const auto is_first = [&](const std::string& index) { return index == indices.front(); };
    return is_assigned && indices.size() > 1 && std::all_of(indices.begin(), indices.end(), is_first);
}

// A counter tells the last block that all have finished, but nothing makes their writes arrive first: finds the atomic
// between the write and the read whose result is used, unless a fence precedes it.
void add_missing_fence(RawFinding& race, const Tokens& tokens, int write_line, int read_line, int first_line) {
    const std::size_t write = mention(tokens, race.variable, write_line, false),
                      read = mention(tokens, race.variable, read_line, true);
    if (write == nowhere || read == nowhere) return;
    for (std::size_t k = write + 1; k < read; ++k) {
        if (is_one_of(tokens[k].text, {"__threadfence", "__threadfence_system"})) return;
        const bool is_used = !is_one_of(tokens[k - 1].text, {";", "{", "}", ")", "else"});
        if (!tokens[k].text.starts_with("atomic") || !is_used) continue;
        race.counted_by = tokens[k].text;
        race.counted_at = tokens[k].line + first_line - 1;
        return;
    }
}

// A race of a few lanes, as in a small case that fills one warp partly: between two lines that all threads of a block
// may reach, in a text without warp operations, a larger case would show it between warps.
bool is_open_to_block(const RawFinding& race, const Tokens& tokens, int late_line, int early_line) {
    const auto is_of_warp = [](const Token& token) {
        return token.text.starts_with("__syncwarp") || token.text.starts_with("__shfl") ||
               token.text.starts_with("__activemask");
    };
    if (late_line == early_line || race.times >= 32) return false;
    if (std::any_of(tokens.begin(), tokens.end(), is_of_warp)) return false;
    const auto [first_of, last_of] = std::minmax(late_line, early_line);
    const std::size_t first = mention(tokens, race.variable, first_of, false),
                      last = mention(tokens, race.variable, last_of, true);
    if (first == nowhere || last == nowhere) return false;
    const std::vector<ControlStatement> statements = control_statements(tokens);
    return std::none_of(statements.begin(), statements.end(), [&](const ControlStatement& one) {
        return !one.is_loop && one.holds(first) && one.holds(last);
    });
}

}  // namespace

std::optional<CallPlace> call_leading_to(const Tokens& tokens, int line, const std::string& kernel) {
    const std::vector<FunctionBody> functions = functions_in(tokens);
    const FunctionBody* const within = function_at(functions, tokens, line);
    if (within == nullptr || within->is_kernel || within->name.empty()) return std::nullopt;
    const auto caller = std::find_if(functions.begin(), functions.end(),
                                     [&](const FunctionBody& one) { return one.is_kernel && one.name == kernel; });
    if (caller == functions.end()) return std::nullopt;
    std::optional<CallPlace> found;
    int calls = 0;
    for (std::size_t k = caller->begin; k + 1 < std::min(caller->end, tokens.size()); ++k) {
        if (tokens[k].text != within->name || (tokens[k + 1].text != "(" && tokens[k + 1].text != "<")) continue;
        const CallPlace call{within->name, tokens[k].line, way_to(tokens, k)};
        const bool doubtful = call.way.in_branch || call.way.behind_return;
        if (!found || (doubtful && !found->way.in_branch && !found->way.behind_return)) found = call;
        ++calls;
    }
    if (calls > 1 && !found->way.in_branch && !found->way.behind_return) return std::nullopt;
    return found;
}

bool is_waiting(const std::vector<Token>& tokens, int line) {
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
        if (tokens[k].text != "while" || tokens[k + 1].text != "(") continue;
        const std::size_t close = closing(tokens, k + 1);
        if (close < tokens.size() && tokens[k].line <= line && line <= tokens[close].line) return true;
    }
    return false;
}

void add_race_clues(RawFinding& race, const Tokens& tokens, int first_line, bool has_warps) {
    const Action &late = race.action, &early = race.other;
    if (late.place.file != early.place.file || tokens.empty()) return;
    const int late_line = late.place.line - first_line + 1, early_line = early.place.line - first_line + 1;
    const bool has_reader = one_reads(race);
    if (late_line == early_line && has_reader && late.verb != early.verb &&
        updates_element(tokens, race.variable, late_line))
        race.one_line_writes = true;   // even if the two may have written the same value
    if (late_line == early_line && (race.one_line_writes || race.volatile_update))
        race.atomic = atomic_of(tokens, race.variable, late_line);
    const auto [read_line, write_line] =
        late.verb == "reads" ? std::pair(late_line, early_line) : std::pair(early_line, late_line);
    if (has_reader && race.space == Space::global && race.atomic.empty() && !race.one_line_writes)
        race.in_place = reads_neighbour(tokens, race.variable, read_line);
    const bool is_update = late.verb == "updates" || early.verb == "updates";
    race.first_guess = has_reader && is_update && has_name(tokens, "atomicCAS");
    if (has_reader && race.kind == FindingKind::inter_block_race && !is_update)
        add_missing_fence(race, tokens, write_line, read_line, first_line);
    if (race.kind == FindingKind::missing_syncwarp && has_warps &&
        is_open_to_block(race, tokens, late_line, early_line))
        race.kind = FindingKind::missing_barrier;
    if (race.kind != FindingKind::missing_barrier || late_line == early_line) return;
    const std::vector<FunctionBody> functions = functions_in(tokens);
    const FunctionBody* const within = function_at(functions, tokens, late_line);
    if (within == nullptr || within != function_at(functions, tokens, early_line)) return;
    const auto [first_of, last_of] = std::minmax(late_line, early_line);
    const std::size_t first = mention(tokens, race.variable, first_of, false),
                      last = mention(tokens, race.variable, last_of, true);
    if (first == nowhere || last == nowhere) return;
    const std::vector<ControlStatement> statements = control_statements(tokens);
    // Finds barriers between the two, and whether they are in a branch that doesn't contain both.
    bool in_way = false;
    for (std::size_t k = first; k < last; ++k) {
        if (!is_barrier(tokens[k])) continue;
        const bool branched = std::any_of(statements.begin(), statements.end(), [&](const ControlStatement& one) {
            return !one.is_loop && one.holds(k) && (!one.holds(first) || !one.holds(last));
        });
        if (branched) race.branched_barrier = tokens[k].line + first_line - 1;
        in_way = in_way || !branched;
    }
    if (!in_way) return;
    race.branched_barrier = 0;
    for (const ControlStatement& one : statements) {
        if (!one.is_loop || !one.holds(first) || !one.holds(last)) continue;
        const auto is_behind = [&](std::size_t from, std::size_t to) {
            return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(from),
                               tokens.begin() + static_cast<std::ptrdiff_t>(to), is_barrier);
        };
        race.round_loop = !is_behind(last, std::min(one.end, tokens.size())) && !is_behind(one.begin, first);
        return;   // the innermost one
    }
    race.second_call = !within->is_kernel;
}

namespace {

using Tokens = std::vector<Token>;

/// Tokens from `begin` to before `end`.
struct Range {
    std::size_t begin = 0, end = 0;
    [[nodiscard]] bool holds(std::size_t k) const { return begin <= k && k < end; }
};

/// A condition that a thread at the access has met or, before a return, has not met.
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

/// The array's mention in its line; the line's last token if it has another name there.
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

/// All comparisons that the access depends on, in the order of the text.
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

/// What the tests of an out-of-bounds access reveal about it.
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
    // True if it names what the index names, or compares with one of the launch's integers.
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

    // The last two of them, which are nearest.
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

    // x[blockIdx.x], or x + blockIdx.x * columns, in a launch with more blocks than elements or rows.
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
            return lacks("row", outside_.variable + " has " + plural(rows, "row") + " of " + std::to_string(columns));
        }
        return {};
    }
    [[nodiscard]] std::string source_of_or_none(const Range& range) const {
        return range.begin < range.end ? source_of(tokens_, range) : "";
    }
    [[nodiscard]] std::string elements() const {
        return outside_.variable + " has " + plural(outside_.length, "element");
    }

    // i <= n, or if (i > n) return: the index is as far out as one line or element too many puts it.
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
            if (outside_.beyond > outside_.length / *bound) continue;   // farther out than that explains
            const std::string name(tokens_[k - 1].text), limit(tokens_[right].text);
            return name + (test.is_met ? " <= " : " > ") + limit + " in line " +
                   std::to_string(tokens_[k].line + first_line_ - 1) + " lets " + name + " be " + limit +
                   ", one too many where the first is 0: compare with " + (test.is_met ? "<" : ">=");
        }
        return {};
    }

    // i < n, where n is another array's length.
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
    if (index < -(ints / 2) || index >= ints) return;  // not by an int
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

namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

bool is_line(const OutsideAccess& access) { return access.height == 1; }

// True if the grid has this many threads, rounded up to whole blocks.
bool covers(std::int64_t threads, std::int64_t count) { return threads >= count && threads - count < 1024; }

struct Matrix {
    std::int64_t rows, columns;
};

bool fits(const Matrix& matrix, std::int64_t row, std::int64_t column) {
    return row < matrix.rows && column < matrix.columns;
}

// True if each thread of a row of threads may have an element, a column or a row.
bool has_element(const OutsideAccess& access, const Matrix& matrix) {
    if (!is_line(access)) {
        if (access.index == access.y * matrix.columns + access.x) return fits(matrix, access.y, access.x);
        const bool swapped = covers(access.width, matrix.rows) && covers(access.height, matrix.columns);
        return fits(matrix, access.y, access.x) || (swapped && fits(matrix, access.x, access.y));
    }
    if (access.width >= matrix.rows * matrix.columns) return access.x < matrix.rows * matrix.columns;
    const bool in_own_column = access.x < matrix.columns && access.index % matrix.columns == access.x;
    return in_own_column || access.x < std::min(matrix.rows, matrix.columns);
}

// The row length that the index was computed with: index = row * length + column; 0: it wasn't.
std::int64_t used_length(std::int64_t index, std::int64_t row, std::int64_t column) {
    return row > 0 && index > column && (index - column) % row == 0 ? (index - column) / row : 0;
}

std::string mistake_in(const OutsideAccess& access, const Matrix& matrix) {
    const auto& [rows, columns] = matrix;
    if (rows < 2 || columns < 2) return {};
    if (is_line(access)) {
        const bool by_column = access.x < columns && access.index % columns == access.x;
        if (by_column && access.index / columns >= rows && access.index / columns < columns && rows < columns)
            return "the row of this index is " + number(access.index / columns) + ", and " + access.array + " has " +
                   number(rows) + " rows of " + number(columns) +
                   ": it looks as if rows and columns are swapped where the loop ends";
        return {};
    }
    for (const bool x_is_row : {false, true}) {
        const std::int64_t row = x_is_row ? access.x : access.y, column = x_is_row ? access.y : access.x;
        if (!fits(matrix, row, column)) continue;
        if (used_length(access.index, row, column) == rows && rows != columns)
            return access.array + " has " + number(rows) + " rows of " + number(columns) +
                   ", and this index looks computed with rows of " + number(rows) +
                   ": multiply the row by the length of a row, which is " + number(columns);
        // Otherwise the thread itself is outside, and a guard excludes it.
        if (!x_is_row && access.index == column * columns + row && column >= rows)
            return access.array + " has " + number(rows) + " rows of " + number(columns) +
                   ", and it looks as if row and column are swapped in this index";
    }
    const bool fits_swapped = covers(access.width, rows) && covers(access.height, columns);
    if (fits_swapped && (access.width < columns || access.height < rows))
        return access.array + " has " + number(rows) + " rows of " + number(columns) + ", and the launch has " +
               number(access.width) + " threads along x and " + number(access.height) +
               " along y: it looks as if rows and columns are swapped in the launch";
    return {};
}

}  // namespace

bool has_own_element(const OutsideAccess& access) {
    if (!access.is_flat) return false;
    if (is_line(access) && access.shapes.empty()) return access.x < access.length;
    return std::any_of(access.shapes.begin(), access.shapes.end(),
                       [&](const auto& one) { return has_element(access, {one.first, one.second}); });
}

std::string likely_mistake(const OutsideAccess& access) {
    if (!access.is_flat || access.index < access.length) return {};
    for (const auto& [rows, columns] : access.shapes)
        if (std::string mistake = mistake_in(access, {rows, columns}); !mistake.empty()) return mistake;
    return {};
}

std::string beside_matrix(const OutsideAccess& one, const OutsideAccess& other) {
    const auto is_at = [](const OutsideAccess& access, std::int64_t columns) {
        return access.index == access.y * columns + access.x;
    };
    if (!one.is_flat) return {};
    for (const auto& [rows, columns] : one.shapes) {
        const Matrix matrix{rows, columns};
        // As a row and a column, whichever of the two x is.
        const auto is_outside = [&](const OutsideAccess& access) {
            return !fits(matrix, access.y, access.x) && !fits(matrix, access.x, access.y);
        };
        const auto says = [&](const OutsideAccess& beside, const std::string& unlike) {
            return "the thread at x = " + number(beside.x) + ", y = " + number(beside.y) + " of the grid is in no " +
                   (beside.x >= columns ? "column: " : "row: ") + one.array + " has " + number(rows) + " rows of " +
                   number(columns) + "; leave out threads that are outside in either direction" + unlike;
        };
        if (is_at(one, columns) && is_at(other, columns)) {
            const OutsideAccess& beside = one.x >= columns ? one : other;
            if (beside.x >= columns && std::min(one.x, other.x) < columns)
                return says(beside, ", not only those past the last element");
        } else if (covers(one.width, columns) && covers(one.height, rows) && (is_outside(one) || is_outside(other))) {
            return says(is_outside(one) ? one : other, ": they have no element to change");
        }
    }
    return {};
}

}  // namespace gpu::detail::host
