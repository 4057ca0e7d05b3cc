// SPDX-License-Identifier: MIT
#include "codegen/kernel_support.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

namespace {

struct KernelFunction {
    std::string_view name, text;
};

// Integers: dividing by 0 gives 0, and what doesn't fit wraps around. Floating numbers: NaN goes its way unless said.
constexpr KernelFunction functions[] = {
    {"gpu_cast", R"(// What doesn't fit becomes the nearest that does, NaN 0.
template <class To, class From> __device__ inline To gpu_cast(From x) {
    constexpr unsigned long long top = 1ull << (sizeof(To) * 8 - 1);
    constexpr bool is_signed = (To)-1 < (To)0;
    constexpr To least = is_signed ? (To)top : (To)0, most = (To)(is_signed ? top - 1 : top - 1 + top);
    constexpr From end = (From)top * (is_signed ? 1 : 2);
    return x != x ? (To)0 : x >= end ? most : x <= (From)least ? least : (To)x;
}
)"},
    {"gpu_truth",
     "template <class Z> __device__ inline bool gpu_truth(const Z& z) {\n"
     "    return z.real() != 0 || z.imag() != 0;\n}\n"},
    {"gpu_minimum",
     "template <class T> __device__ inline T gpu_minimum(T a, T b) { return a < b || a != a ? a : b; }\n"},
    {"gpu_maximum",
     "template <class T> __device__ inline T gpu_maximum(T a, T b) { return a > b || a != a ? a : b; }\n"},
    {"gpu_fmin", "template <class T> __device__ inline T gpu_fmin(T a, T b) { return b < a || a != a ? b : a; }\n"},
    {"gpu_fmax", "template <class T> __device__ inline T gpu_fmax(T a, T b) { return b > a || a != a ? b : a; }\n"},
    {"gpu_abs",
     "template <class T> __device__ inline T gpu_abs(T a) {\n"
     "    return a < T(0) ? (T)(0ull - (unsigned long long)a) : a;\n}\n"
     "__device__ inline float gpu_abs(float a) { return fabsf(a); }\n"
     "__device__ inline double gpu_abs(double a) { return fabs(a); }\n"},
    {"gpu_sign",
     "template <class T> __device__ inline T gpu_sign(T a) {\n"
     "    return a > T(0) ? T(1) : a < T(0) ? T(-1) : a == T(0) ? T(0) : a;  // of -0 it is 0\n}\n"},
    {"gpu_square", "template <class T> __device__ inline T gpu_square(T a) { return T(a * a); }\n"},
    {"gpu_reciprocal", "template <class T> __device__ inline T gpu_reciprocal(T a) { return T(1) / a; }\n"},
    {"gpu_integer_reciprocal",
     "template <class T> __device__ inline T gpu_integer_reciprocal(T a) {\n"
     "    return a == T(1) || (T(-1) < T(0) && a == T(-1)) ? a : T(0);\n}\n"},
    {"gpu_is_minus_one",
     "template <class T> __device__ inline bool gpu_is_minus_one(T a) {\n"
     "    return (T)-1 < (T)0 && a == (T)-1;\n}\n"},
    {"gpu_divide",
     "template <class T> __device__ inline T gpu_divide(T a, T b) {\n"
     "    if (gpu_is_minus_one(b)) return (T)(0ull - (unsigned long long)a);\n"
     "    return b == T(0) ? T(0) : T(a / b);\n}\n"},
    {"gpu_modulo",
     "template <class T> __device__ inline T gpu_modulo(T a, T b) {\n"
     "    return b == T(0) || gpu_is_minus_one(b) ? T(0) : T(a % b);\n}\n"
     "__device__ inline float gpu_modulo(float a, float b) { return fmodf(a, b); }\n"
     "__device__ inline double gpu_modulo(double a, double b) { return fmod(a, b); }\n"},
    {"gpu_remainder", R"(// The result has b's sign.
template <class T> __device__ inline T gpu_remainder(T a, T b) {
    if (b == T(0) || gpu_is_minus_one(b)) return T(0);
    const T rest = T(a % b);
    return rest != T(0) && (rest < T(0)) != (b < T(0)) ? T(rest + b) : rest;
}
template <class F> __device__ inline F gpu_real_remainder(F a, F b) {
    const F rest = fmod(a, b);
    if (rest == F(0)) return copysign(F(0), b);
    return (rest < F(0)) != (b < F(0)) ? rest + b : rest;
}
__device__ inline float gpu_remainder(float a, float b) { return gpu_real_remainder(a, b); }
__device__ inline double gpu_remainder(double a, double b) { return gpu_real_remainder(a, b); }
)"},
    {"gpu_floor_divide", R"(template <class T> __device__ inline T gpu_floor_divide(T a, T b) {
    if (b == T(0)) return T(0);
    if (gpu_is_minus_one(b)) return (T)(0ull - (unsigned long long)a);
    const T quotient = T(a / b);
    return a % b != 0 && (a < T(0)) != (b < T(0)) ? T(quotient - T(1)) : quotient;
}
// The whole number that goes with gpu_remainder's rest.
template <class F> __device__ inline F gpu_real_floor_divide(F a, F b) {
    if (b == F(0)) return a / b;
    const F rest = fmod(a, b);
    F quotient = (a - rest) / b;
    if (rest != F(0) && (rest < F(0)) != (b < F(0))) quotient -= F(1);
    if (quotient == F(0)) return copysign(F(0), a / b);
    const F whole = floor(quotient);
    return quotient - whole > F(0.5) ? whole + F(1) : whole;
}
__device__ inline float gpu_floor_divide(float a, float b) { return gpu_real_floor_divide(a, b); }
__device__ inline double gpu_floor_divide(double a, double b) { return gpu_real_floor_divide(a, b); }
)"},
    {"gpu_left_shift", R"(// Shifts by more than the width leave nothing, or the sign; so do negative ones.
template <class T> __device__ inline T gpu_left_shift(T a, T n) {
    return (unsigned long long)n < sizeof(T) * 8 ? (T)((unsigned long long)a << (int)n) : T(0);
}
)"},
    {"gpu_right_shift",
     "template <class T> __device__ inline T gpu_right_shift(T a, T n) {\n"
     "    if ((unsigned long long)n < sizeof(T) * 8) return T(a >> (int)n);\n"
     "    return a < T(0) ? T(-1) : T(0);\n}\n"},
    {"gpu_power", R"(// Negative powers are cut off to whole numbers.
template <class T> __device__ inline T gpu_power(T a, T n) {
    if (n < T(0)) return a == T(1) ? a : gpu_is_minus_one(a) ? (n & 1 ? a : T(1)) : T(0);
    unsigned long long result = 1, factor = (unsigned long long)a;
    for (; n != T(0); n = T(n >> 1)) {
        if (n & 1) result *= factor;
        factor *= factor;
    }
    return (T)result;
}
)"},
    {"gpu_isnan", "template <class T> __device__ inline bool gpu_isnan(T a) { return a != a; }\n"},
    {"gpu_isinf", "template <class T> __device__ inline bool gpu_isinf(T a) { return a == a && !(a - a == T(0)); }\n"},
    {"gpu_isfinite", "template <class T> __device__ inline bool gpu_isfinite(T a) { return a - a == T(0); }\n"},
    {"gpu_signbit",
     "__device__ inline bool gpu_signbit(float a) { return __float_as_int(a) < 0; }\n"
     "__device__ inline bool gpu_signbit(double a) { return __double_as_longlong(a) < 0; }\n"},
    {"gpu_degrees",
     "__device__ inline float gpu_degrees(float a) { return a * 57.2957795130823209f; }\n"
     "__device__ inline double gpu_degrees(double a) { return a * 57.2957795130823209; }\n"},
    {"gpu_radians",
     "__device__ inline float gpu_radians(float a) { return a * 0.0174532925199432958f; }\n"
     "__device__ inline double gpu_radians(double a) { return a * 0.0174532925199432958; }\n"}};

void add_named(const std::vector<Token>& tokens, std::string_view own, std::vector<std::string_view>& texts) {
    for (const Token& token : tokens) {
        if (!token.is_name() || !token.text.starts_with("gpu_")) continue;
        for (const KernelFunction& function : functions) {
            if (function.name != token.text || std::count(texts.begin(), texts.end(), function.text) != 0) continue;
            if (function.name == own) continue;
            add_named(tokens_of(function.text), function.name, texts);  // what it calls stands before it
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
