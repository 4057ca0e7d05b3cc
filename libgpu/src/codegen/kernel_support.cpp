// SPDX-License-Identifier: MIT
#include "codegen/kernel_support.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <embedded/codegen.hpp>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

namespace {

struct KernelFunction {
    std::string_view name, text;
};

// The functions in functions.cuh.
const std::vector<KernelFunction>& kernel_functions() {
    static const auto* const functions = [] {
        auto* const all = new std::vector<KernelFunction>;
        for (std::string_view rest = text::functions; !rest.empty();) {
            rest.remove_prefix(1);  // an empty line
            const std::string_view piece = rest.substr(0, std::min(rest.find("\n\n"), rest.size() - 1) + 1);
            const std::vector<Token> tokens = tokens_of(piece);
            const auto name = std::find_if(tokens.begin(), tokens.end(),
                                           [](const Token& token) { return token.text.starts_with("gpu_"); });
            all->push_back({name->text, piece});
            rest.remove_prefix(piece.size());
        }
        return all;
    }();
    return *functions;
}

void add_named(const std::vector<Token>& tokens, std::string_view own, std::vector<std::string_view>& texts) {
    for (const Token& token : tokens) {
        if (!token.is_name() || !token.text.starts_with("gpu_")) continue;
        for (const KernelFunction& function : kernel_functions()) {
            if (function.name != token.text || std::count(texts.begin(), texts.end(), function.text) != 0) continue;
            if (function.name == own) continue;
            add_named(tokens_of(function.text), function.name, texts);  // the functions that it calls come first
            texts.push_back(function.text);
        }
    }
}

}  // namespace

std::string functions_named_in(const std::vector<Token>& tokens) {
    std::vector<std::string_view> texts;
    add_named(tokens, "", texts);
    std::string all;
    for (const std::string_view part : texts) all += part;
    return all;
}

namespace {

/// A type's name in NumPy and CuPy, and in CUDA C++.
struct NumpyType {
    std::string_view name, meaning;
};
constexpr NumpyType numpy_types[] = {{"bool_", "bool"},
                                     {"int8", "signed char"},
                                     {"int16", "short"},
                                     {"int32", "int"},
                                     {"int64", "long long"},
                                     {"uint8", "unsigned char"},
                                     {"uint16", "unsigned short"},
                                     {"uint32", "unsigned int"},
                                     {"uint64", "unsigned long long"},
                                     {"float16", "half"},
                                     {"bfloat16", "__nv_bfloat16"},
                                     {"float32", "float"},
                                     {"float64", "double"},
                                     {"complex64", "complex<float>"},
                                     {"complex128", "complex<double>"}};

// True if the token at k is being declared: "struct float16", "using int8 =", "#define int8", "typedef ... int8;",
// "double float64(float x)".
bool is_declared_at(const std::vector<Token>& tokens, std::size_t k) {
    if (k == 0 || tokens[k - 1].line != tokens[k].line) return false;
    const std::string_view before = tokens[k - 1].text, after = k + 1 < tokens.size() ? tokens[k + 1].text : "";
    if (is_one_of(before, {"struct", "class", "enum", "using", "define"})) return true;
    const bool ends = is_one_of(after, {";", "(", "[", "=", ","});
    return ends && tokens[k - 1].is_name() &&
           !is_one_of(before, {"return", "else", "do", "case", "const", "volatile", "static", "typename", "operator"});
}

std::vector<NumpyType> numpy_types_in(const std::vector<Token>& tokens) {
    std::vector<NumpyType> named;
    for (const NumpyType& type : numpy_types) {
        bool is_named = false, is_declared = false;
        for (std::size_t k = 0; k < tokens.size(); ++k) {
            if (!tokens[k].is_name() || tokens[k].text != type.name) continue;
            is_named = true;
            is_declared = is_declared || is_declared_at(tokens, k);
        }
        if (is_named && !is_declared) named.push_back(type);
    }
    return named;
}

// A text followed by the meanings of its NumPy names, so that libgpu's halves and complex numbers are included.
std::string with_meanings(std::string text) {
    std::string meanings;
    for (const NumpyType& type : numpy_types_in(tokens_of(text))) meanings += '\n' + std::string(type.meaning);
    return text + meanings;
}

/// A floating-point type of 16 bits: its names in kernels, and the header that has it.
struct ShortFloat {
    std::string_view name, other, header;
};
constexpr ShortFloat short_floats[] = {{"half", "__half", "cuda_fp16"},
                                       {"__nv_bfloat16", "nv_bfloat16", "cuda_bf16"}};

// True if the text has the type from elsewhere: it includes its header, or defines one of its names ("struct half").
bool has_own(const ShortFloat& type, const std::vector<Token>& tokens) {
    for (std::size_t k = 1; k < tokens.size(); ++k)
        if (is_one_of(tokens[k].text, {type.name, type.other}) &&
            is_one_of(tokens[k - 1].text, {"struct", "class", "using"}))
            return true;
    return includes_header(tokens, type.header);
}

// True if a generated kernel's text names the type and needs libgpu's.
bool needs(const ShortFloat& type, const std::vector<Token>& tokens) {
    return has_name(tokens, type.name) && !has_own(type, tokens);
}

std::string parameter_types(const std::vector<Parameter>& parameters) {
    std::string types;
    for (const Parameter& parameter : parameters) types += parameter.type + '\n';
    return types;
}

}  // namespace

std::string all_text(const ElementwiseText& text) {
    return with_meanings(parameter_types(text.parameters) + text.typedefs + '\n' + text.preamble.text + '\n' +
                         text.body.text);
}

std::string all_text(const ReductionText& text) {
    return with_meanings(parameter_types(text.parameters) + text.typedefs + '\n' + text.preamble.text + '\n' +
                         text.accumulator + '\n' + text.map.text + '\n' + text.reduce.text + '\n' + text.post.text +
                         '\n' + text.identity);
}

std::string text_and_names(const RawText& text) {
    std::string all = text.source.text + '\n' + text.name + '\n' + text.signature;
    for (const RawEntry& entry : text.more) all += '\n' + entry.name + '\n' + entry.signature;
    return all;
}

std::string short_float_headers(const RawText& text, const std::vector<Token>& tokens) {
    std::string names = text.name + text.signature;
    for (const RawEntry& entry : text.more) names += '\n' + entry.name + entry.signature;
    const std::vector<Token> named = tokens_of(names);
    std::string headers;
    for (const ShortFloat& type : short_floats) {
        const bool is_named = has_name(named, type.name) || has_name(named, type.other);
        if (is_named && !has_own(type, tokens)) headers += "#include <" + std::string(type.header) + ".h>\n";
    }
    return headers;
}

bool is_bound_by_arithmetic(const std::string& body) {
    constexpr std::size_t max_short_body = 160;
    if (body.size() > max_short_body) return true;
    const std::vector<Token> tokens = tokens_of(body);
    return has_name(tokens, "for") || has_name(tokens, "while");
}

bool needs_half(const std::vector<Token>& tokens) { return needs(short_floats[0], tokens); }
bool needs_bfloat16(const std::vector<Token>& tokens) { return needs(short_floats[1], tokens); }

std::string kernel_support(const std::vector<Token>& tokens) {
    std::string text = needs_half(tokens) ? std::string(text::half) : "";
    if (needs_bfloat16(tokens)) text += text::bfloat16;
    text += functions_named_in(tokens);
    for (const NumpyType& type : numpy_types_in(tokens))
        text += "typedef " + std::string(type.meaning) + ' ' + std::string(type.name) + ";\n";
    return text;
}

RawText own_text(const char* name, std::string source) {
    return {.name = name,
            .source = {std::move(source), std::string("libgpu ") + name, 1},
            .signature = {},
            .options = {}};
}

const std::string_view cu_complex_header = text::cu_complex, complex_header = text::complex_names;
const std::string_view kernel_raw_array = text::raw_array, kernel_complex = text::complex;

bool has_raw(const std::vector<Parameter>& parameters) {
    return std::any_of(parameters.begin(), parameters.end(), [](const Parameter& one) { return one.is_raw; });
}

bool has_raw_output(const std::vector<Parameter>& parameters) {
    return std::any_of(parameters.begin(), parameters.end(),
                       [](const Parameter& one) { return one.is_raw && one.role == Parameter::Role::output; });
}

std::string raw_array_type(const Parameter& parameter) {
    const std::string constness = parameter.role == Parameter::Role::output ? "" : "const ";
    return "gpu_raw_array<" + constness + parameter.type + ", " + std::to_string(parameter.rank) + ", " +
           (parameter.is_dense ? "true" : "false") + ">";
}

bool needs_complex(const std::vector<Token>& tokens) {
    bool named = std::any_of(complex_headers.begin(), complex_headers.end(), [&](std::string_view header) {
        return includes_header(tokens, header);
    });
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (!tokens[k].is_name() || tokens[k].text != "complex") continue;
        const std::string_view before = k > 0 ? tokens[k - 1].text : "",
                               after = k + 1 < tokens.size() ? tokens[k + 1].text : "";
        if (before == ":") continue;
        if (before == "struct" || before == "class" || before == "using" || before == "namespace") return false;
        named = named || after == "<";
    }
    return named;
}

}  // namespace gpu::detail
