// SPDX-License-Identifier: MIT
#include "codegen/kernel_declarations.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace gpu::detail {

namespace {

constexpr std::string_view keyword = "__global__";

// The tokens [first, last] as they stand, with white space and comments as single blanks.
std::string spelled(const std::vector<Token>& tokens, std::size_t first, std::size_t last) {
    std::string text;
    for (std::size_t k = first; k <= last; ++k) {
        if (k > first && tokens[k - 1].end() != tokens[k].offset) text += ' ';
        text += tokens[k].text;
    }
    return text;
}

// The "(" behind the name of the kernel whose __global__ is at k: the first that isn't an attribute's, such as
// __launch_bounds__(256). The number of tokens if there is none.
std::size_t parameter_list(const std::vector<Token>& tokens, std::size_t k) {
    for (std::size_t open = find_token(tokens, "(", k); open < tokens.size();) {
        const std::size_t close = closing(tokens, open);
        if (close == tokens.size()) break;
        if (open > k + 1 && tokens[open - 1].is_name() && !tokens[open - 1].text.starts_with("__")) return open;
        open = find_token(tokens, "(", close);
    }
    return tokens.size();
}

// "ns::add" where its last word is at k.
std::string scoped_name(const std::vector<Token>& tokens, std::size_t k) {
    std::string name(tokens[k].text);
    for (; k >= 3 && tokens[k - 1].text == ":" && tokens[k - 2].text == ":" && tokens[k - 3].is_name(); k -= 3)
        name = std::string(tokens[k - 3].text) + "::" + name;
    return name;
}

// Without preprocessor lines and what depends on them: nobody knows here whether it will be compiled.
std::vector<Token> unconditional(const std::vector<Token>& tokens) {
    std::vector<Token> kept;
    int depth = 0;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].starts_line && tokens[k].text == "#" && k + 1 < tokens.size()) {
            if (tokens[k + 1].text.starts_with("if")) ++depth;
            if (tokens[k + 1].text == "endif") --depth;
        }
        if (!tokens[k].in_directive && depth <= 0) kept.push_back(tokens[k]);
    }
    return kept;
}

}  // namespace

std::vector<KernelDeclaration> find_kernels(const std::vector<Token>& tokens) {
    std::vector<KernelDeclaration> kernels;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].text != keyword) continue;
        const std::size_t open = parameter_list(tokens, k);
        if (open == tokens.size()) break;
        kernels.push_back({std::string(tokens[open - 1].text), spelled(tokens, open, closing(tokens, open))});
    }
    return kernels;
}

std::vector<KernelDeclaration> find_kernels(std::string_view source) { return find_kernels(tokens_of(source)); }

Unresolved unresolved_kernel(const std::vector<KernelDeclaration>& kernels, const std::string& name,
                             const std::string& signature) {
    std::string names, signatures;
    std::set<std::string> seen;
    for (const KernelDeclaration& kernel : kernels) {
        if (seen.insert(kernel.name).second) names += (names.empty() ? "" : ", ") + kernel.name;
        if (kernel.name == bare_name(name)) signatures += (signatures.empty() ? "" : " and ") + kernel.parameters;
    }
    if (signatures.empty()) return {.kind = Unresolved::Kind::no_kernel, .wanted = name, .there = names};
    return {.kind = Unresolved::Kind::signature, .wanted = signature.empty() ? name : signature, .there = signatures};
}

std::vector<std::string> plain_kernels(const std::string& source) {
    const std::vector<Token> tokens = unconditional(tokens_of(source));
    std::vector<std::string> scopes;  // one an open brace; "" for what is no namespace
    std::vector<std::string> found;
    std::map<std::string, std::set<std::string>> parameters;
    std::string next_scope;
    bool is_template = false;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        const std::string_view token = tokens[k].text;
        if (token == "template") is_template = true;
        if (token == "namespace") {  // "namespace a::b {", "namespace {"
            next_scope.clear();
            for (std::size_t at = k + 1; at < tokens.size() && (tokens[at].is_name() || tokens[at].text == ":"); ++at)
                next_scope += tokens[at].text;
        }
        if (token == "{") {
            scopes.push_back(next_scope);
            next_scope.clear();
        }
        if (token == "}" && !scopes.empty()) scopes.pop_back();
        if (token == "{" || token == "}" || token == ";") is_template = false;
        if (token == ";") next_scope.clear();
        if (token != keyword || is_template) continue;
        const std::size_t open = parameter_list(tokens, k);
        if (open == tokens.size()) break;
        std::string name;
        for (const std::string& scope : scopes) name += scope.empty() ? "" : scope + "::";
        name += scoped_name(tokens, open - 1);
        std::string list;
        for (std::size_t at = open; at < closing(tokens, open); ++at) list += std::string(tokens[at].text) + ' ';
        parameters[name].insert(std::move(list));
        if (std::find(found.begin(), found.end(), name) == found.end()) found.push_back(name);
        k = open;
    }
    std::erase_if(found, [&](const std::string& name) { return parameters[name].size() > 1; });
    return found;
}

}  // namespace gpu::detail
