// SPDX-License-Identifier: MIT
#include "codegen/kernel_parameters.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "codegen/kernel_declarations.hpp"
#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

namespace {

using Words = std::vector<std::string_view>;

Words words_of(std::string_view text) {
    Words words;
    for (const Token& token : tokens_of(text)) words.push_back(token.text);
    return words;
}

bool is_word(std::string_view text) { return is_name_part(text.front()); }

// "(const T* x, map<int, float> y)" at its commas.
std::vector<Words> split(std::string_view list) {
    std::vector<Words> parts(1);
    int depth = 0;
    for (const std::string_view word : words_of(list)) {
        const bool closes = word == ")" || word == ">" || word == "]" || word == "}";
        depth -= closes ? 1 : 0;
        if (closes && depth == 0) break;
        if (word == "," && depth == 1)
            parts.emplace_back();
        else if (depth > 0)
            parts.back().push_back(word);
        depth += word == "(" || word == "<" || word == "[" || word == "{" ? 1 : 0;
    }
    if (parts.size() == 1 && (parts.front().empty() || parts.front() == Words{"void"})) parts.clear();
    return parts;
}

bool names_a_type(std::string_view word) {
    constexpr std::string_view known[] = {"unsigned", "signed", "long",   "short", "int",
                                          "char",     "float",  "double", "bool"};
    return std::find(std::begin(known), std::end(known), word) != std::end(known);
}

DeclaredParameter parse(const Words& words) {
    DeclaredParameter parameter;
    Words type;
    bool named = false;
    for (const std::string_view word : words) {
        if (word == "=") break;
        if (word == "*" || word == "[") {
            if (word == "[" && !type.empty() && !parameter.is_pointer) {  // float x[]: the name came first
                parameter.name = type.back();
                type.pop_back();
                named = true;
            }
            parameter.is_pointer = true;
        } else if (word == "const") {
            if (!parameter.is_pointer) parameter.is_const = true;
        } else if (word == "volatile") {
            if (!parameter.is_pointer) parameter.is_volatile = true;
        } else if (word.starts_with("__")) {
            continue;  // __restrict__, __grid_constant__
        } else if (parameter.is_pointer && !named && is_word(word)) {
            parameter.name = word;
        } else if (word != "]") {
            type.push_back(word);
        }
    }
    // The last word of a value's is its name: "unsigned int n", "T n", but not "unsigned int".
    if (!parameter.is_pointer && type.size() > 1 && is_word(type.back()) && !names_a_type(type.back()) &&
        type[type.size() - 2] != ":") {
        parameter.name = type.back();
        type.pop_back();
    }
    for (const std::string_view word : type) {
        const bool glued = parameter.words.empty() || !is_word(word) || !is_name_part(parameter.words.back());
        (parameter.words += glued ? "" : " ") += word;
    }
    parameter.type = standard_type(parameter.words);
    if (parameter.type.empty()) parameter.type = parameter.words;
    return parameter;
}

// "float" of "__constant__ float coef[3] = {...};", for each variable of this kind: calls
// f(name, type words, true if it is constant memory).
template <class F>
void for_variables(const std::string& source, const F& f) {
    const Words words = words_of(source);
    for (std::size_t k = 0; k < words.size(); ++k) {
        if (words[k] != "__constant__" && words[k] != "__device__") continue;
        std::string type, last;
        bool is_variable = false, is_constant = words[k] == "__constant__";
        std::size_t at = k + 1;
        for (; at < words.size(); ++at) {
            const std::string_view word = words[at];
            is_variable = word == ";" || word == "=" || word == "[" || (word == "{" && !last.empty());
            if (is_variable || word == "(" || word == "}") break;
            is_constant = is_constant || word == "__constant__";
            if (word == "const" || word == "static" || word == "volatile" || word == "constexpr" ||
                word.starts_with("__"))
                continue;
            type += (type.empty() || last.empty() ? "" : " ") + last;
            last = word;
        }
        if (is_variable && !type.empty() && is_word(last)) f(last, type, is_constant);
        k = at > k ? at - 1 : k;
    }
}

}  // namespace

std::string tidy_name(const std::string& name) {
    std::string tidy;
    for (const std::string_view word : words_of(name)) {
        const bool parted = !tidy.empty() && is_word(word) && is_name_part(tidy.back());
        (tidy += parted ? " " : "") += word;
    }
    return tidy;
}

std::string standard_type(const std::string& words) {
    constexpr std::string_view table[][2] = {{"float", "float"},
                                             {"double", "double"},
                                             {"bool", "bool"},
                                             {"half", "half"},
                                             {"__half", "half"},
                                             {"int", "int"},
                                             {"signed", "int"},
                                             {"signed int", "int"},
                                             {"int32_t", "int"},
                                             {"unsigned", "unsigned int"},
                                             {"unsigned int", "unsigned int"},
                                             {"uint", "unsigned int"},
                                             {"uint32_t", "unsigned int"},
                                             {"short", "short"},
                                             {"short int", "short"},
                                             {"int16_t", "short"},
                                             {"unsigned short", "unsigned short"},
                                             {"unsigned short int", "unsigned short"},
                                             {"ushort", "unsigned short"},
                                             {"uint16_t", "unsigned short"},
                                             {"signed char", "signed char"},
                                             {"int8_t", "signed char"},
                                             {"unsigned char", "unsigned char"},
                                             {"uchar", "unsigned char"},
                                             {"uint8_t", "unsigned char"},
                                             {"long", "long long"},
                                             {"long int", "long long"},
                                             {"long long", "long long"},
                                             {"long long int", "long long"},
                                             {"int64_t", "long long"},
                                             {"ptrdiff_t", "long long"},
                                             {"unsigned long", "unsigned long long"},
                                             {"unsigned long int", "unsigned long long"},
                                             {"unsigned long long", "unsigned long long"},
                                             {"unsigned long long int", "unsigned long long"},
                                             {"ulong", "unsigned long long"},
                                             {"uint64_t", "unsigned long long"},
                                             {"size_t", "unsigned long long"},
                                             {"complex<float>", "complex<float>"},
                                             {"complex<double>", "complex<double>"}};
    for (const auto& row : table)
        if (row[0] == words) return std::string(row[1]);
    return {};
}

std::vector<DeclaredParameter> declared_parameters(const std::string& source, const std::string& name,
                                                   std::size_t count, bool& found) {
    const std::vector<KernelDeclaration> kernels = find_kernels(source);
    std::vector<std::vector<Words>> lists;
    for (const KernelDeclaration& kernel : kernels) {
        if (kernel.name != bare_name(name)) continue;
        auto parts = split(kernel.parameters);
        if (lists.empty() || (lists.back().size() != count && parts.size() == count))
            lists = {std::move(parts)};
        else if (parts != lists.back() && parts.size() == lists.back().size())
            lists.push_back(std::move(parts));
    }
    found = lists.size() == 1;
    std::vector<DeclaredParameter> parameters;
    if (found)
        for (const Words& part : lists.front()) parameters.push_back(parse(part));
    return parameters;
}

std::string declared_variable_type(const std::string& source, const std::string& name) {
    std::string found;
    for_variables(source, [&](const std::string& variable, const std::string& type, bool) {
        if (variable == bare_name(name)) found = standard_type(type);
    });
    return found;
}

std::vector<std::string> declared_variables(const std::string& source) {
    std::vector<std::string> names;
    for_variables(source, [&](const std::string& variable, const std::string&, bool) {
        if (std::find(names.begin(), names.end(), variable) == names.end()) names.push_back(variable);
    });
    return names;
}

std::vector<std::string> constant_variables(const std::string& source) {
    std::vector<std::string> constants, others;
    if (source.find("__constant__") == std::string::npos) return constants;
    for_variables(source, [&](const std::string& variable, const std::string&, bool is_constant) {
        (is_constant ? constants : others).push_back(variable);
    });
    std::erase_if(constants, [&others](const std::string& variable) {
        return std::find(others.begin(), others.end(), variable) != others.end();
    });
    return constants;
}

}  // namespace gpu::detail
