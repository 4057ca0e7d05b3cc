// SPDX-License-Identifier: MIT
#include "codegen/kernel_declarations.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "codegen/kernel_support.hpp"
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

// Splits "(const T* x, map<int, float> y)" at its commas.
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

// The standard name of a complex type under its other names, including pairs; "" for other types.
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
    // The last word of a value parameter is its name: "unsigned int n", "T n", but not "unsigned int".
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

// True if `float coef[3]`, with its bracket at `at`, ends without an initialiser.
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
                                             {"nv_bfloat16", "__nv_bfloat16"},
                                             {"__nv_bfloat16", "__nv_bfloat16"},
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

namespace {

constexpr std::string_view keyword = "__global__";

// The tokens [first, last] as written, with white space and comments as single blanks.
std::string spelled(const std::vector<Token>& tokens, std::size_t first, std::size_t last) {
    std::string text;
    for (std::size_t k = first; k <= last; ++k) {
        if (k > first && tokens[k - 1].end() != tokens[k].offset) text += ' ';
        text += tokens[k].text;
    }
    return text;
}

// The "(" after the name of the kernel whose __global__ is at k: the first that isn't an attribute's, such as
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

// "ns::add" if its last word is at k.
std::string scoped_name(const std::vector<Token>& tokens, std::size_t k) {
    std::string name(tokens[k].text);
    for (; k >= 3 && tokens[k - 1].text == ":" && tokens[k - 2].text == ":" && tokens[k - 3].is_name(); k -= 3)
        name = std::string(tokens[k - 3].text) + "::" + name;
    return name;
}

// The tokens without preprocessor lines and conditional code, since it isn't known here whether that is compiled.
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

namespace {

std::vector<std::string> plain_kernels_of(const std::vector<Token>& tokens) {
    std::vector<std::string> scopes;  // one per open brace; "" if it isn't a namespace's
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
        const std::size_t close = closing(tokens, open);
        if (close + 1 < tokens.size() && tokens[close + 1].text == ";") continue;  // its definition may follow
        std::string name;
        for (const std::string& scope : scopes) name += scope.empty() ? "" : scope + "::";
        name += scoped_name(tokens, open - 1);
        std::string list;
        for (std::size_t at = open; at < close; ++at) list += std::string(tokens[at].text) + ' ';
        parameters[name].insert(std::move(list));
        if (std::find(found.begin(), found.end(), name) == found.end()) found.push_back(name);
        k = open;
    }
    std::erase_if(found, [&](const std::string& name) { return parameters[name].size() > 1; });
    return found;
}

/// A macro whose body is, or begins, a kernel: `#define KERNEL(T) __global__ void scale_##T(T* x)`.
struct KernelMacro {
    std::string_view name;
    std::vector<std::string_view> parameters;  // none for an object-like macro
    std::vector<std::string_view> parts;       // of the kernel's name: "scale_", "T"
    bool is_function = false;
};

// The macro defined by the "define" at k, if it generates a kernel.
std::optional<KernelMacro> kernel_macro(const std::vector<Token>& tokens, std::size_t k) {
    std::size_t end = k + 2;
    while (end < tokens.size() && tokens[end].in_directive && !tokens[end].starts_line) ++end;
    if (end >= tokens.size() + 1 || k + 2 >= end) return std::nullopt;
    KernelMacro macro{.name = tokens[k + 1].text, .parameters = {}, .parts = {}};
    std::size_t body = k + 2;
    macro.is_function = tokens[body].text == "(" && tokens[body].offset == tokens[k + 1].end();
    if (macro.is_function) {
        for (++body; body < end && tokens[body].text != ")"; ++body)
            if (tokens[body].is_name()) macro.parameters.push_back(tokens[body].text);
    }
    while (body < end && tokens[body].text != keyword && tokens[body].text != "template") ++body;
    if (body >= end || tokens[body].text != keyword) return std::nullopt;
    const std::size_t open = parameter_list(tokens, body);
    if (open >= end) return std::nullopt;
    macro.parts.push_back(tokens[open - 1].text);
    for (std::size_t at = open - 1; at > body + 3 && tokens[at - 1].text == "#" && tokens[at - 2].text == "#"; at -= 3)
        macro.parts.insert(macro.parts.begin(), tokens[at - 3].text);
    return macro;
}

// The kernel's name if the macro is used at k; otherwise "".
std::string name_made(const KernelMacro& macro, const std::vector<Token>& tokens, std::size_t k) {
    std::vector<std::string> arguments{""};
    if (macro.is_function) {
        if (k + 1 >= tokens.size() || tokens[k + 1].text != "(") return {};
        int depth = 1;
        for (std::size_t at = k + 2; at < closing(tokens, k + 1); ++at) {
            if (tokens[at].text == "(") ++depth;
            if (tokens[at].text == ")") --depth;
            if (tokens[at].text == "," && depth == 1)
                arguments.emplace_back();
            else
                arguments.back() += tokens[at].text;
        }
    }
    std::string name;
    for (const std::string_view part : macro.parts) {
        const auto parameter = std::find(macro.parameters.begin(), macro.parameters.end(), part);
        const auto place = static_cast<std::size_t>(parameter - macro.parameters.begin());
        name += place < macro.parameters.size() && place < arguments.size() ? arguments[place] : std::string(part);
    }
    return std::all_of(name.begin(), name.end(), is_name_part) ? name : "";
}

}  // namespace

std::vector<std::string> plain_kernels(const std::string& source) {
    return plain_kernels_of(unconditional(tokens_of(source)));
}

std::vector<std::string> possible_kernels(const std::string& source) {
    const std::vector<Token> all = tokens_of(source);
    std::vector<Token> code = all;
    std::erase_if(code, [](const Token& token) { return token.in_directive; });
    std::vector<std::string> found = plain_kernels_of(code);
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (!all[k].in_directive || all[k].text != "define") continue;
        const auto macro = kernel_macro(all, k);
        if (!macro) continue;
        for (std::size_t at = 0; at < code.size(); ++at)
            if (code[at].is_name() && code[at].text == macro->name) found.push_back(name_made(*macro, code, at));
    }
    const std::vector<std::string> plain = plain_kernels(source);
    std::set<std::string> seen(plain.begin(), plain.end());
    std::erase_if(found, [&](const std::string& name) { return name.empty() || !seen.insert(name).second; });
    return found;
}

namespace {

// The layout of gpu::StridedView.
constexpr const char* strided_view = R"(template <class T, int Rank> struct StridedView {
    T* data;
    long long shape[Rank], strides[Rank];
    template <class... Index> __device__ T& operator()(Index... index) const {
        static_assert(sizeof...(Index) == Rank, "a StridedView takes an index for each of its axes");
        const long long at[] = {(long long)index...};
        long long offset = 0;
        for (int axis = 0; axis < Rank; ++axis) offset += at[axis] * strides[axis];
        return data[offset];
    }
};
)";

}  // namespace

std::string layout_checks(const std::vector<StructLayout>& structs) {
    std::string text;
    for (const StructLayout& layout : structs) {
        const std::string bytes = std::to_string(layout.bytes), alignment = std::to_string(layout.alignment);
        text += "#line 1 \"libgpu:struct\"\nstatic_assert(sizeof(" + layout.name + ") == " + bytes + " && alignof(" +
                layout.name + ") == " + alignment + ", \"" + layout.name + " has " + bytes +
                " bytes and an alignment of " + alignment +
                " in the C++ code, and others here: declare the same members in the same order\");\n";
    }
    return text;
}

std::string strided_view_text(const std::vector<Token>& tokens) {
    bool named = false;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (!tokens[k].is_name() || tokens[k].text != "StridedView") continue;
        if (k > 0 && tokens[k - 1].text == "struct") return {};
        named = true;
    }
    return named ? strided_view : "";
}

namespace {

// `z & x` and `z && x` are binary operators; `(&x)` and `f(&x)` take an address.
bool takes_address(const std::vector<Token>& tokens, std::size_t k) {
    if (k == 0 || tokens[k - 1].text != "&") return false;
    if (k == 1) return true;
    const Token& before = tokens[k - 2];
    return before.kind == TokenKind::punctuation && before.text != ")" && before.text != "]" && before.text != "&";
}

// True if the statement `name = value;` begins at k, with a value that doesn't use the name.
bool is_assignment(const std::vector<Token>& tokens, std::size_t k) {
    if (k + 2 >= tokens.size() || tokens[k + 1].text != "=" || tokens[k + 2].text == "=") return false;
    const std::size_t end = find_token(tokens, ";", k);
    for (std::size_t at = k + 1; at < end; ++at)
        if (tokens[at].is_name() && tokens[at].text == tokens[k].text) return false;
    return true;
}

// True if a preamble defines a macro that could hide a way out of the body, or the output.
bool hides_more(const SourceText& preamble, std::string_view output) {
    constexpr std::string_view hiding[] = {"return", "goto",   "if", "else", "for", "while",
                                           "do",     "switch", ";",  "{",    "}"};
    const std::vector<Token> tokens = tokens_of(preamble.text);
    return std::any_of(tokens.begin(), tokens.end(), [&](const Token& token) {
        return token.in_directive && (token.text == output ||
                                      std::find(std::begin(hiding), std::end(hiding), token.text) != std::end(hiding));
    });
}

}  // namespace

int line_naming(const SourceText& snippet, std::string_view name) {
    for (const Token& token : tokens_of(snippet.text))
        if (token.is_name() && token.text == name) return snippet.line + token.line - 1;
    return snippet.line;
}

bool assigns_first(const ElementwiseText& text, std::string_view output) {
    if (has_raw(text.parameters) || hides_more(text.preamble, output)) return false;
    const std::vector<Token> tokens = tokens_of(text.body.text);
    bool is_assigned = false;
    int depth = 0;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        const Token& token = tokens[k];
        if (token.in_directive) return false;
        if (token.text == "(" || token.text == "[" || token.text == "{") ++depth;
        if (token.text == ")" || token.text == "]" || token.text == "}") --depth;
        if (!token.is_name()) continue;
        if (!is_assigned && (token.text == "return" || token.text == "goto")) return false;
        if (token.text != output) continue;
        if (takes_address(tokens, k)) return false;
        const bool begins = k == 0 || tokens[k - 1].text == ";" || tokens[k - 1].text == "}";
        if (!is_assigned && !(depth == 0 && begins && is_assignment(tokens, k))) return false;
        is_assigned = true;
    }
    return is_assigned;
}

}  // namespace gpu::detail
