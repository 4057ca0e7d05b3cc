// SPDX-License-Identifier: MIT
#include "codegen/kernel_support.hpp"

#include <string>
#include <utility>

#include "codegen/kernel_functions.hpp"

namespace gpu::detail {

namespace {

// A type to store in: whatever is computed with it is computed in float. The host's prelude has the conversions.
constexpr std::string_view kernel_half = R"gpu(
#ifndef __LIBGPU_HOST__
static __device__ __forceinline__ unsigned short gpu_half_from_float(float x) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
}
static __device__ __forceinline__ unsigned short gpu_half_from_double(double x) {
    unsigned short bits;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(x));
    return bits;
}
static __device__ __forceinline__ float gpu_half_to_float(unsigned short bits) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
}
#endif
struct half {
    half() = default;
    __device__ __forceinline__ half(float x) : bits(gpu_half_from_float(x)) {}
    __device__ __forceinline__ half(double x) : bits(gpu_half_from_double(x)) {}
    template <class I> __device__ __forceinline__ half(I x) : bits(gpu_half_from_float((float)x)) {}
    __device__ __forceinline__ operator float() const { return gpu_half_to_float(bits); }
    template <class T> __device__ __forceinline__ half& operator+=(T x) { return *this = half(*this + x); }
    template <class T> __device__ __forceinline__ half& operator-=(T x) { return *this = half(*this - x); }
    template <class T> __device__ __forceinline__ half& operator*=(T x) { return *this = half(*this * x); }
    template <class T> __device__ __forceinline__ half& operator/=(T x) { return *this = half(*this / x); }
    unsigned short bits;
};
)gpu";

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
                                     {"float32", "float"},
                                     {"float64", "double"},
                                     {"complex64", "complex<float>"},
                                     {"complex128", "complex<double>"}};

// Whether the token at k is declared there: "struct float16", "using int8 =", "#define int8", "typedef ... int8;",
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

// Behind a text, what its NumPy names mean: so that libgpu's halves and complex numbers come with them.
std::string with_meanings(std::string text) {
    std::string meanings;
    for (const NumpyType& type : numpy_types_in(tokens_of(text))) meanings += '\n' + std::string(type.meaning);
    return text + meanings;
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

std::string half_header(const RawText& text, const std::vector<Token>& tokens) {
    std::string names = text.name + text.signature;
    for (const RawEntry& entry : text.more) names += '\n' + entry.name + entry.signature;
    const std::vector<Token> named = tokens_of(names);
    const bool wanted = has_name(named, "half") || has_name(named, "__half");
    if (!wanted || includes_header(tokens, "cuda_fp16")) return {};
    for (std::size_t k = 1; k < tokens.size(); ++k)
        if (tokens[k].text == "half" && (tokens[k - 1].text == "struct" || tokens[k - 1].text == "class")) return {};
    return "#include <cuda_fp16.h>\n";
}

bool is_bound_by_arithmetic(const std::string& body) {
    constexpr std::size_t longest = 160;
    if (body.size() > longest) return true;
    const std::vector<Token> tokens = tokens_of(body);
    return has_name(tokens, "for") || has_name(tokens, "while");
}

bool names_half(const std::vector<Token>& tokens) {
    if (includes_header(tokens, "cuda_fp16")) return false;
    bool named = false;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (!tokens[k].is_name() || tokens[k].text != "half") continue;
        const std::string_view before = k > 0 ? tokens[k - 1].text : "";
        if (before == "struct" || before == "class" || before == "using") return false;
        named = true;
    }
    return named;
}

std::string kernel_support(const std::vector<Token>& tokens) {
    std::string text = std::string(names_half(tokens) ? kernel_half : "") + functions_named_in(tokens);
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

}  // namespace gpu::detail
