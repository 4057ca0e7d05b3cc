// SPDX-License-Identifier: MIT
#include "jit/mistakes.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "codegen/kernel_tokens.hpp"
#include "jit/advice.hpp"

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

// Counts the brackets of one piece, in order.
class Counter {
public:
    explicit Counter(const SourceMap& map) : map_(map) {}

    /// Returns the mistake as soon as it is clear.
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
        // A } where a ) or ] is due, or the reverse.
        return bracket.sign == '}' ? never_closed(open_.back()) : closes_nothing(bracket);
    }

    /// The bracket left open at the end. If a } is indented less than the line of the { that it closes, that { was
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

namespace {

// How GNU ld, lld, ptxas and, for names that only the host's libraries have, libgpu itself put it around the name.
struct Words {
    std::string_view before, behind;
    bool are_ours = false;
};
constexpr Words ways[] = {{"undefined reference to `", "'"},
                          {"undefined reference to '", "'"},
                          {"undefined symbol: ", "\n"},
                          {"Unresolved extern function '", "'"},
                          {"error: `", "` can't be used in a kernel: ", true}};

struct Missing {
    std::string name, message;
};

Missing missing_in(const std::string& log) {
    for (const Words& way : ways) {
        const auto at = log.find(way.before);
        if (at == std::string::npos) continue;
        const auto begin = at + way.before.size(), end = log.find(way.behind, begin);
        const auto line = log.find('\n', begin);
        if (end > line) continue;
        std::string name = demangled(log.substr(begin, end - begin));
        constexpr std::string_view unnamed = "(anonymous namespace)::";
        if (const auto scope = name.find(unnamed); scope != std::string::npos) name.erase(scope, unnamed.size());
        if (way.are_ours) return {name, log.substr(begin - 1, line - begin + 1)};
        return {name, name + " is declared, and defined nowhere"};
    }
    return {};
}

// "f" of "int ns::f<float>(float)".
std::string word_of(const std::string& name) {
    std::string word;
    int depth = 0;
    for (const char c : name) {
        depth += c == '<' ? 1 : c == '>' ? -1 : 0;
        if (depth > 0 || c == '>') continue;
        if (c == '(') break;
        word = is_name_part(c) ? word + c : "";
    }
    return word;
}

/// The learner's own lines as one text, and their indices.
struct OwnText {
    std::string text;
    std::vector<std::size_t> lines;

    explicit OwnText(const SourceMap& map) {
        for (std::size_t k = 0; k < map.lines().size(); ++k) {
            if (map.lines()[k].ours) continue;
            text += map.code(k) + '\n';
            lines.push_back(k);
        }
    }
    [[nodiscard]] SourceSpot spot(const Token& token) const {
        return {lines[static_cast<std::size_t>(token.line) - 1], token.column()};
    }
};

// Index of the function's name in a declaration's tokens, "f" in "__device__ int f(int)"; npos if there is none.
std::size_t function_in(const Declaration& declaration, const std::vector<Token>& tokens, const std::string& word) {
    for (const std::size_t k : declaration.tokens)
        if (tokens[k].text == word && k + 1 < tokens.size() && tokens[k + 1].text == "(") return k;
    return std::string_view::npos;
}

// The variable's name in "extern __device__ int g;", which may be inside a function.
std::size_t variable_in(const std::vector<Token>& tokens, const std::string& word) {
    bool is_extern = false;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (is_one_of(tokens[k].text, {";", "{", "}"})) is_extern = false;
        if (tokens[k].text == "extern") is_extern = true;
        if (is_extern && tokens[k].is_name() && tokens[k].text == word) return k;
    }
    return std::string_view::npos;
}

}  // namespace

std::optional<UndefinedName> undefined_name(const std::string& log, const SourceMap& map) {
    const auto [name, message] = missing_in(log);
    const std::string word = word_of(name);
    if (word.empty()) return std::nullopt;
    const OwnText own(map);
    const std::vector<Token> tokens = tokens_of(own.text);
    std::size_t declared = std::string_view::npos, defined = declared;
    for (const Declaration& one : declarations_in(tokens)) {
        std::size_t& place = one.has_body ? defined : declared;
        if (place == std::string_view::npos) place = function_in(one, tokens, word);
    }
    if (declared != std::string_view::npos) {
        std::string help(no_body_help);
        if (defined != std::string_view::npos)
            help = "the " + word + " that line " + std::to_string(map.lines()[own.spot(tokens[defined]).index].line) +
                   " defines has other parameters: make the two alike";
        return UndefinedName{message, own.spot(tokens[declared]), help};
    }
    declared = variable_in(tokens, word);
    if (declared == std::string_view::npos) return std::nullopt;
    return UndefinedName{message, own.spot(tokens[declared]),
                         "a kernel uses what its source defines: declare it outside functions, without extern"};
}

namespace {

constexpr std::array<std::string_view, 76> known{"threadIdx",
                                                 "blockIdx",
                                                 "blockDim",
                                                 "gridDim",
                                                 "warpSize",
                                                 "__syncthreads",
                                                 "__syncwarp",
                                                 "__threadfence",
                                                 "__shared__",
                                                 "__global__",
                                                 "__device__",
                                                 "__constant__",
                                                 "__restrict__",
                                                 "__ldg",
                                                 "atomicAdd",
                                                 "atomicSub",
                                                 "atomicMax",
                                                 "atomicMin",
                                                 "atomicExch",
                                                 "atomicCAS",
                                                 "atomicAnd",
                                                 "atomicOr",
                                                 "atomicXor",
                                                 "__shfl_sync",
                                                 "__shfl_down_sync",
                                                 "__shfl_up_sync",
                                                 "__shfl_xor_sync",
                                                 "__ballot_sync",
                                                 "__any_sync",
                                                 "__all_sync",
                                                 "printf",
                                                 "assert",
                                                 "float",
                                                 "double",
                                                 "unsigned",
                                                 "bool",
                                                 "void",
                                                 "const",
                                                 "return",
                                                 "while",
                                                 "size_t",
                                                 "sqrt",
                                                 "sqrtf",
                                                 "rsqrt",
                                                 "exp",
                                                 "log",
                                                 "log2",
                                                 "log10",
                                                 "pow",
                                                 "sin",
                                                 "cos",
                                                 "tan",
                                                 "asin",
                                                 "acos",
                                                 "atan",
                                                 "atan2",
                                                 "sinh",
                                                 "cosh",
                                                 "tanh",
                                                 "fabs",
                                                 "fabsf",
                                                 "abs",
                                                 "fmin",
                                                 "fmax",
                                                 "min",
                                                 "max",
                                                 "floor",
                                                 "ceil",
                                                 "round",
                                                 "trunc",
                                                 "fmod",
                                                 "hypot",
                                                 "cbrt",
                                                 "isnan",
                                                 "isinf",
                                                 "INFINITY"};

// The name without case and leading or trailing underscores.
std::string core_of(const std::string& name) {
    const auto first = name.find_first_not_of('_'), last = name.find_last_not_of('_');
    if (first == std::string::npos) return {};
    std::string core = name.substr(first, last - first + 1);
    std::transform(core.begin(), core.end(), core.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return core;
}

// Letters to change, add, omit or swap with their neighbour.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a.size()][b.size()];
}

// The number of typing slips between two names, or npos if they are unrelated.
std::size_t slips(const std::string& name, const std::string& other) {
    const std::string a = core_of(name), b = core_of(other);
    if (a.empty() || name == other) return std::string::npos;
    const std::size_t longer = std::max(a.size(), b.size()), allowed = longer < 3 ? 0 : longer < 6 ? 1 : 2;
    const std::size_t found = distance(a, b);
    return found <= allowed ? found : std::string::npos;
}

// Names where a declaration has them: after a type, before the end of a declarator.
std::vector<std::string> declared_names(const std::string& code) {
    std::vector<std::string> names;
    const std::vector<Token> tokens = tokens_of(code);
    for (std::size_t k = 1; k < tokens.size(); ++k) {
        if (!tokens[k].is_name()) continue;
        const Token& before = tokens[k - 1];
        const bool type_before = before.is_name() || before.text == "*" || before.text == "&" || before.text == ">";
        const bool ends =
            k + 1 == tokens.size() || std::string_view(";=,)[({").find(tokens[k + 1].text) != std::string_view::npos;
        if (type_before && ends) names.emplace_back(tokens[k].text);
    }
    return names;
}

}  // namespace

bool are_similar(const std::string& name, const std::string& other) { return slips(name, other) != std::string::npos; }

std::string similar_name(const std::string& name, const std::string& code) {
    std::string best;
    std::size_t min_slips = std::string::npos;
    const auto consider = [&](const std::string& candidate) {
        const std::size_t found = slips(name, candidate);
        if (found < min_slips) {
            min_slips = found;
            best = candidate;
        }
    };
    for (const std::string& candidate : declared_names(code)) consider(candidate);
    for (const std::string_view candidate : known) consider(std::string(candidate));
    return best;
}

}  // namespace gpu::detail
