// SPDX-License-Identifier: MIT
#include "host/check/source_clues.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

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

// The first or the last mention of a variable in a line; the line's first token where the name is another one there.
std::size_t mention(const Tokens& tokens, const std::string& variable, int line, bool last) {
    std::size_t found = nowhere, any = nowhere;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].line != line || tokens[k].in_directive) continue;
        if (any == nowhere) any = k;
        if (tokens[k].text == variable && (found == nowhere || last)) found = k;
    }
    return found == nowhere ? any : found;
}

// The atomic that does max(x[i], v) or max(v, x[i]) in one step, and no max(factor * x[i], v).
std::string_view extreme_of(const Tokens& tokens, const std::string& variable, int line) {
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
        const bool largest = is_one_of(tokens[k].text, {"max", "fmaxf", "fmax"});
        const bool least = is_one_of(tokens[k].text, {"min", "fminf", "fmin"});
        if (tokens[k].line != line || (!largest && !least) || tokens[k + 1].text != "(") continue;
        const std::size_t open = k + 1, close = closing(tokens, open);
        for (std::size_t at = open + 1; at + 1 < close && close < tokens.size(); ++at) {
            if (tokens[at].text != variable || tokens[at + 1].text != "[") continue;
            const std::size_t behind = closing(tokens, at + 1) + 1;
            const bool is_first = at == open + 1 && behind < close && tokens[behind].text == ",";
            if (is_first || (tokens[at - 1].text == "," && behind == close))
                return largest ? "atomicMax(), which takes integers" : "atomicMin(), which takes integers";
        }
    }
    return {};
}

// What does x[i] += v, x[i] = x[i] + v, ... in one step; empty if the line tells no operation.
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

// x[i - 1], x[i + 2]: a neighbour of the thread's element is read.
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

// x[i] = f(x[i]): the line writes the element that it has read.
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

// A counter tells the last block that all have come, and nothing makes what they wrote arrive first: the atomic between
// the write and the read whose result is used, if no fence stands in front of it.
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

// A race of a few lanes, as where a small case fills one warp in part: between two lines that all threads of a block
// may come to, in a text without warp operations, a larger case would show it between warps.
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
        race.one_line_writes = true;   // though the two may have written the same value
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
    // A barrier between the two, and whether it stands in a branch that they don't both stand in.
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

}  // namespace gpu::detail::host
