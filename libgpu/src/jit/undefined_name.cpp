// SPDX-License-Identifier: MIT
#include "jit/undefined_name.hpp"

#include <string_view>
#include <vector>

#include "codegen/kernel_scopes.hpp"
#include "codegen/kernel_tokens.hpp"
#include "jit/advice_cases.hpp"

namespace gpu::detail {

namespace {

// How GNU ld, lld and ptxas say it, and libgpu itself of what only the host's libraries have: around the name.
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

/// The learner's own lines as one text, and which lines these are.
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

// Of a declaration's tokens the one that is the function's name, "f" of "__device__ int f(int)"; npos if there is none.
std::size_t function_in(const Declaration& declaration, const std::vector<Token>& tokens, const std::string& word) {
    for (const std::size_t k : declaration.tokens)
        if (tokens[k].text == word && k + 1 < tokens.size() && tokens[k + 1].text == "(") return k;
    return std::string_view::npos;
}

// The variable's name in "extern __device__ int g;", which may stand in a function.
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

}  // namespace gpu::detail
