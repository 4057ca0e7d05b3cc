// SPDX-License-Identifier: MIT
#include "codegen/kernel_parameters.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

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

// What complex numbers are called elsewhere, also as pairs; "" for what is no such type.
std::string complex_type(const std::string& words) {
    if (is_one_of(words, {"float2", "cuFloatComplex", "cuComplex", "thrust::complex<float>"})) return "complex<float>";
    if (is_one_of(words, {"double2", "cuDoubleComplex", "thrust::complex<double>"})) return "complex<double>";
    return {};
}

DeclaredParameter parse(const Words& words) {
    DeclaredParameter parameter;
    Words type;
    bool is_array = std::find(words.begin(), words.end(), "(") != words.end();  // T (*x)[3] points to arrays
    int stars = 0;
    for (auto at = words.begin(); at != words.end() && *at != "="; ++at) {
        if (*at == "*") {
            if (++stars > 2) type.push_back(*at);
        } else if (*at == "[") {
            at = std::find(at, words.end() - 1, "]");
            if (std::exchange(is_array, true)) continue;  // x[][3]
            if (stars == 0 && !type.empty()) {            // float x[]: the name came first
                parameter.name = type.back();
                type.pop_back();
            }
            ++stars;
        } else if (*at == "const") {
            if (stars == 0) parameter.is_const = true;
            if (stars == 1) parameter.has_const_pointers = true;
        } else if (*at == "volatile") {
            if (stars == 0) parameter.is_volatile = true;
        } else if (at->starts_with("__")) {
            continue;  // __restrict__, __grid_constant__
        } else if (stars > 0 && is_word(*at)) {
            parameter.name = *at;
        } else {
            type.push_back(*at);
        }
    }
    parameter.is_pointer = stars > 0;
    parameter.points_to_pointers = stars > 1;
    parameter.has_const_pointers = parameter.has_const_pointers && parameter.points_to_pointers;
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
    if (parameter.type.empty()) parameter.type = complex_type(parameter.words);
    parameter.is_number = !parameter.type.empty();
    if (parameter.type.empty()) parameter.type = parameter.words;
    return parameter;
}

struct DeclaredVariable {
    std::string name, type;  // "coef" and "float" of "__constant__ float coef[3] = {...};"
    bool is_constant = false, has_value = false;
};

// Whether `float coef[3]`, of which the bracket stands at `at`, ends without a value.
bool ends_at_once(const Words& words, std::size_t at) {
    for (; at < words.size() && words[at] == "["; ++at)
        while (at < words.size() && words[at] != "]") ++at;
    return at < words.size() && words[at] == ";";
}

// Calls f(variable) for each variable of this kind.
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
        if (is_variable && !type.empty() && is_word(last))
            f(DeclaredVariable{last, type, is_constant, !ends_at_once(words, at)});
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
    for_variables(source, [&](const DeclaredVariable& variable) {
        if (variable.name == bare_name(name)) found = standard_type(variable.type);
    });
    return found;
}

std::vector<std::string> declared_variables(const std::string& source) {
    std::vector<std::string> names;
    for_variables(source, [&](const DeclaredVariable& variable) {
        if (std::find(names.begin(), names.end(), variable.name) == names.end()) names.push_back(variable.name);
    });
    return names;
}

std::vector<ConstantVariable> constant_variables(const std::string& source) {
    std::vector<ConstantVariable> constants;
    std::vector<std::string> others;
    if (source.find("__constant__") == std::string::npos) return constants;
    for_variables(source, [&](const DeclaredVariable& variable) {
        if (variable.is_constant)
            constants.push_back({variable.name, variable.has_value});
        else
            others.push_back(variable.name);
    });
    std::erase_if(constants, [&others](const ConstantVariable& variable) {
        return std::find(others.begin(), others.end(), variable.name) != others.end();
    });
    return constants;
}

}  // namespace gpu::detail
