// SPDX-License-Identifier: MIT
#include "codegen/kernel_scopes.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>

#include "codegen/kernel_declarations.hpp"
#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

namespace {

bool is_scoped_name_part(char c) { return is_name_part(c) || c == ':'; }

// Without preprocessor lines and what depends on them: nobody knows here whether it will be compiled.
std::string unconditional(const std::string& blanked) {
    std::istringstream lines(blanked);
    std::string text;
    int depth = 0;
    bool continued = false;
    for (std::string line; std::getline(lines, line); text += '\n') {
        const auto first = line.find_first_not_of(" \t");
        const bool directive = continued || (first != std::string::npos && line[first] == '#');
        if (directive && !continued) {
            const auto word = line.find_first_not_of(" \t", first + 1);
            if (word != std::string::npos && line.compare(word, 2, "if") == 0) ++depth;
            if (word != std::string::npos && line.compare(word, 5, "endif") == 0) --depth;
        }
        continued = directive && !line.empty() && line.back() == '\\';
        if (!directive && depth <= 0) text += line;
    }
    return text;
}

std::vector<std::string> tokens_of(const std::string& text) {
    std::vector<std::string> tokens;
    for (std::size_t k = 0; k < text.size();) {
        std::size_t end = k + 1;
        if (is_scoped_name_part(text[k]))
            while (end < text.size() && is_scoped_name_part(text[end])) ++end;
        if (std::isspace(static_cast<unsigned char>(text[k])) == 0) tokens.push_back(text.substr(k, end - k));
        k = end;
    }
    return tokens;
}

}  // namespace

std::vector<std::string> plain_kernels(const std::string& source) {
    const std::vector<std::string> tokens = tokens_of(unconditional(blanked_source(source)));
    std::vector<std::string> scopes;  // one an open brace; "" for what is no namespace
    std::vector<std::string> found;
    std::map<std::string, std::set<std::string>> parameters;
    std::string next_scope;
    bool is_template = false;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        const std::string& token = tokens[k];
        if (token == "template") is_template = true;
        if (token == "namespace" && k + 1 < tokens.size() && tokens[k + 1] != "{") next_scope = tokens[k + 1];
        if (token == "{") {
            scopes.push_back(next_scope);
            next_scope.clear();
        }
        if (token == "}" && !scopes.empty()) scopes.pop_back();
        if (token == "{" || token == "}" || token == ";") is_template = false;
        if (token == ";") next_scope.clear();
        if (token != "__global__" || is_template) continue;
        // The name is the word before the first "(" that isn't an attribute's.
        std::size_t open = k + 1;
        while (open + 1 < tokens.size() &&
               (tokens[open] != "(" || tokens[open - 1].rfind("__", 0) == 0 || !is_scoped_name_part(tokens[open - 1].front())))
            ++open;
        if (open + 1 >= tokens.size()) break;
        std::string name, list;
        for (const std::string& scope : scopes) name += scope.empty() ? "" : scope + "::";
        name += tokens[open - 1];
        for (std::size_t at = open; at < tokens.size() && tokens[at] != "{" && tokens[at] != ";"; ++at)
            list += tokens[at] + ' ';
        parameters[name].insert(list);
        if (std::find(found.begin(), found.end(), name) == found.end()) found.push_back(name);
        k = open;
    }
    const auto overloaded = [&](const std::string& name) { return parameters[name].size() > 1; };
    found.erase(std::remove_if(found.begin(), found.end(), overloaded), found.end());
    return found;
}

}  // namespace gpu::detail
