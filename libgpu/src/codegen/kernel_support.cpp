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

std::string parameter_types(const std::vector<Parameter>& parameters) {
    std::string types;
    for (const Parameter& parameter : parameters) types += parameter.type + '\n';
    return types;
}

}  // namespace

std::string all_text(const ElementwiseText& text) {
    return parameter_types(text.parameters) + text.typedefs + '\n' + text.preamble.text + '\n' + text.body.text;
}

std::string all_text(const ReductionText& text) {
    return parameter_types(text.parameters) + text.typedefs + '\n' + text.preamble.text + '\n' + text.accumulator +
           '\n' + text.map.text + '\n' + text.reduce.text + '\n' + text.post.text + '\n' + text.identity;
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
    if (!wanted || includes(tokens, "<cuda_fp16") || includes(tokens, "\"cuda_fp16")) return {};
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
    if (includes(tokens, "<cuda_fp16") || includes(tokens, "\"cuda_fp16")) return false;
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
    return std::string(names_half(tokens) ? kernel_half : "") + functions_named_in(tokens);
}

RawText own_text(const char* name, std::string source) {
    return {.name = name,
            .source = {std::move(source), std::string("libgpu ") + name, 1},
            .signature = {},
            .options = {}};
}

}  // namespace gpu::detail
