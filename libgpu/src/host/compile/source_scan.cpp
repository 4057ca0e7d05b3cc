// SPDX-License-Identifier: MIT
#include "host/compile/source_scan.hpp"

#include <algorithm>

namespace gpu::detail::host {

std::vector<std::string> parameter_names(const std::string& parameters) {
    const std::vector<Token> tokens = tokens_of(parameters);
    std::vector<std::string> names;
    std::string last;
    int depth = 0, words = 0;
    bool in_default = false;
    for (const Token& token : tokens) {
        const std::string_view text = token.text;
        if (depth == 1 && (text == "," || text == ")")) {
            // A single word is a type: "int". "unsigned int" looks like a type and a name, which does no harm.
            if (words > 0) names.push_back(words > 1 ? last : "");
            last.clear();
            words = 0;
            in_default = false;
            if (text == ")") break;
            continue;
        }
        if (text == "(" || text == "[" || text == "{" || (text == "<" && !in_default)) ++depth;
        if (text == ")" || text == "]" || text == "}" || (text == ">" && !in_default)) --depth;
        if (text == "=") in_default = true;  // where "<" may be a comparison
        if (depth == 1 && !in_default && text == "*") last.clear();
        if (depth == 1 && !in_default && (token.is_name() || text == "*")) ++words;
        if (depth == 1 && !in_default && token.is_name()) last = text;
    }
    if (names.size() == 1 && names.front().empty() && has_name(tokens, "void") &&
        find_token(tokens, "*") == tokens.size())
        names.clear();
    return names;
}

namespace {

// Its copies are kept by the fiber scheduler until something waits for them, and its barriers wait.
bool has_copying_library(const std::vector<Token>& tokens) {
    for (const char* const name :
         {"cuda_pipeline", "cooperative_groups/memcpy_async.h", "cuda/pipeline", "cuda/barrier"})
        if (includes_header(tokens, name)) return true;
    return false;
}

// Its objects have waiting member functions with ordinary names.
bool has_waiting_library(const std::vector<Token>& tokens) {
    for (const char* const name : {"cuda/atomic", "cuda/std/atomic"})
        if (includes_header(tokens, name)) return true;
    return false;
}

}  // namespace

bool synchronises(const std::vector<Token>& tokens) {
    if ((has_waiting_library(tokens) && has_name(tokens, "wait")) || has_copying_library(tokens)) return true;
    return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
        const std::string_view name = token.text;
        constexpr std::string_view sync = "_sync";
        return name.substr(0, 13) == "__syncthreads" || name.substr(0, 14) == "__barrier_sync" ||
               name == "__syncwarp" || name == "__activemask" ||
               name == "__nanosleep" || name == "cooperative_groups" ||
               (name.size() > sync.size() && name.substr(0, 2) == "__" &&
                name.substr(name.size() - sync.size()) == sync);
    });
}

bool may_wait(const std::vector<Token>& tokens) {
    const auto is_atomic = [](const Token& token) { return token.text.substr(0, 6) == "atomic"; };
    bool has_volatile = false, has_loop = false, has_atomic = false;
    for (const Token& token : tokens) {
        const std::string_view name = token.text;
        has_volatile = has_volatile || name == "volatile" || name == "__ldcv" || name == "__ldcg";
        has_loop = has_loop || name == "while" || name == "for";
        has_atomic = has_atomic || is_atomic(token);
    }
    if ((has_volatile || has_waiting_library(tokens)) && has_loop) return true;
    if (!has_atomic) return false;
    // An atomic in a loop's condition, or a function of the text's own there, which may call one.
    const auto is_own = [&tokens](std::string_view name) {
        int calls = 0;
        for (std::size_t k = 0; k + 1 < tokens.size(); ++k)
            calls += tokens[k].text == name && tokens[k + 1].text == "(" ? 1 : 0;
        return calls > 1;
    };
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
        if ((tokens[k].text != "while" && tokens[k].text != "for") || tokens[k + 1].text != "(") continue;
        const bool is_while = tokens[k].text == "while";
        int depth = 0;
        for (std::size_t at = k + 1; at < tokens.size(); ++at) {
            if (tokens[at].text == "(") ++depth;
            if (tokens[at].text == ")" && --depth == 0) break;
            const bool calls = at > k + 1 && tokens[at].text == "(" && tokens[at - 1].is_name();
            if (is_atomic(tokens[at]) || (is_while && calls && is_own(tokens[at - 1].text))) return true;
        }
    }
    return false;
}

bool declares_in_while(const std::vector<Token>& tokens) {
    for (std::size_t k = 0; k + 4 < tokens.size(); ++k) {
        if (tokens[k].text != "while" || tokens[k + 1].text != "(" || !tokens[k + 2].is_name()) continue;
        std::size_t at = k + 3;
        const auto is_part = [](const Token& token) {
            return token.is_name() || token.text == "*" || token.text == "&";
        };
        while (at + 1 < tokens.size() && is_part(tokens[at])) ++at;
        if (at == k + 3 || at + 1 >= tokens.size() || !tokens[at - 1].is_name()) continue;
        if ((tokens[at].text == "=" && tokens[at + 1].text != "=") || tokens[at].text == "{") return true;
    }
    return false;
}

bool is_no_kernel(const std::vector<Token>& tokens, std::string_view name) {
    bool found = false;
    for (std::size_t k = 1; k + 1 < tokens.size(); ++k) {
        if (tokens[k].text == "define" && tokens[k].in_directive) return false;  // __global__ may stand behind a macro
        if (tokens[k].text != name || tokens[k + 1].text != "(") continue;
        bool kernel = false, function = false;
        for (std::size_t at = k; at-- > 0;) {
            const std::string_view word = tokens[at].text;
            if (word == ";" || word == "{" || word == "}") break;
            kernel = kernel || word == "__global__";
            function = function || word == "void" || word == "__device__";
        }
        if (kernel) return false;
        found = found || function;
    }
    return found;
}

std::string without_instantiations(std::string text, const std::vector<Token>& tokens) {
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
        if (tokens[k].text != "template" || tokens[k + 1].text == "<") continue;
        std::size_t end = k + 1;
        bool is_kernel = false;
        for (; end < tokens.size() && tokens[end].text != ";" && tokens[end].text != "{"; ++end)
            is_kernel = is_kernel || tokens[end].text == "__global__";
        if (!is_kernel || end == tokens.size() || tokens[end].text != ";") continue;
        for (std::size_t at = tokens[k].offset; at < tokens[end].offset; ++at)
            if (text[at] != '\n') text[at] = ' ';
        k = end;
    }
    return text;
}

std::string without_static_variables(std::string text, const std::vector<Token>& tokens) {
    const auto is_space = [](std::string_view word) { return word == "__device__" || word == "__constant__"; };
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
        const bool either = (tokens[k].text == "static" && is_space(tokens[k + 1].text)) ||
                            (is_space(tokens[k].text) && tokens[k + 1].text == "static");
        if (!either) continue;
        std::size_t end = k + 2;
        constexpr std::string_view ends = ";=[{(";
        while (end < tokens.size() && ends.find(tokens[end].text) == std::string_view::npos) ++end;
        if (end == tokens.size() || tokens[end].text == "(") continue;  // a function
        const Token& word = tokens[k].text == "static" ? tokens[k] : tokens[k + 1];
        for (std::size_t at = word.offset; at < word.offset + word.text.size(); ++at) text[at] = ' ';
    }
    return text;
}

}  // namespace gpu::detail::host
