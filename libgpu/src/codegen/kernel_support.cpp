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

// Headers of others, by what their documentation says of them, in CUDA C++ that every backend's compiler takes.

// Complex numbers as C has them. The quotient and the absolute value are scaled, so that no square over- or underflows.
const std::string_view cu_complex_header = R"gpu(
#define GPU_CU_COMPLEX(Z, T, f, F, square_root) \
    typedef T##2 Z; \
    static __device__ __forceinline__ Z make_##Z(T x, T y) { return make_##T##2(x, y); } \
    static __device__ __forceinline__ T cuCreal##f(Z z) { return z.x; } \
    static __device__ __forceinline__ T cuCimag##f(Z z) { return z.y; } \
    static __device__ __forceinline__ Z cuConj##f(Z z) { return make_##T##2(z.x, -z.y); } \
    static __device__ __forceinline__ Z cuCadd##f(Z a, Z b) { return make_##T##2(a.x + b.x, a.y + b.y); } \
    static __device__ __forceinline__ Z cuCsub##f(Z a, Z b) { return make_##T##2(a.x - b.x, a.y - b.y); } \
    static __device__ __forceinline__ Z cuCmul##f(Z a, Z b) { \
        return make_##T##2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); \
    } \
    static __device__ __forceinline__ Z cuCdiv##f(Z a, Z b) { \
        const T s = T(1) / (F(b.x) + F(b.y)); \
        const T ar = a.x * s, ai = a.y * s, br = b.x * s, bi = b.y * s, o = T(1) / (br * br + bi * bi); \
        return make_##T##2((ar * br + ai * bi) * o, (ai * br - ar * bi) * o); \
    } \
    static __device__ __forceinline__ T cuCabs##f(Z z) { \
        const T a = F(z.x), b = F(z.y), v = a > b ? a : b, w = a > b ? b : a; \
        if (v == T(0) || v - v != T(0) || w - w != T(0)) return v + w; \
        const T t = w / v; \
        return v * square_root(T(1) + t * t); \
    }
GPU_CU_COMPLEX(cuFloatComplex, float, f, fabsf, sqrtf)
GPU_CU_COMPLEX(cuDoubleComplex, double, , fabs, sqrt)
#undef GPU_CU_COMPLEX
typedef cuFloatComplex cuComplex;
static __device__ __forceinline__ cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
static __device__ __forceinline__ cuComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
    return make_float2((float)z.x, (float)z.y);
}
static __device__ __forceinline__ cuDoubleComplex cuComplexFloatToDouble(cuComplex z) { return make_double2(z.x, z.y); }
static __device__ __forceinline__ cuComplex cuCfmaf(cuComplex a, cuComplex b, cuComplex c) {
    return cuCaddf(cuCmulf(a, b), c);
}
static __device__ __forceinline__ cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
    return cuCadd(cuCmul(a, b), c);
}
)gpu";

const std::string_view complex_header = R"gpu(
#ifndef GPU_COMPLEX_NAMES
#define GPU_COMPLEX_NAMES
#define GPU_COMPLEX_FUNCTION template <class T> __device__ __forceinline__
GPU_COMPLEX_FUNCTION bool isnan(const complex<T>& z) { return isnan(z.real()) || isnan(z.imag()); }
GPU_COMPLEX_FUNCTION bool isinf(const complex<T>& z) { return isinf(z.real()) || isinf(z.imag()); }
GPU_COMPLEX_FUNCTION bool isfinite(const complex<T>& z) { return isfinite(z.real()) && isfinite(z.imag()); }
GPU_COMPLEX_FUNCTION complex<T> rint(const complex<T>& z) { return {rint(z.real()), rint(z.imag())}; }
// The point at infinity is one point, on whichever way it is reached.
GPU_COMPLEX_FUNCTION complex<T> proj(const complex<T>& z) {
    return isinf(z) ? complex<T>(abs(z), copysign(T(0), z.imag())) : z;
}
// In the order of NumPy: by the real parts, then by the imaginary ones. The other number where one is not a number.
GPU_COMPLEX_FUNCTION bool gpu_complex_precedes(const complex<T>& a, const complex<T>& b) {
    return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
}
GPU_COMPLEX_FUNCTION complex<T> min(const complex<T>& a, const complex<T>& b) {
    return isnan(a) ? b : isnan(b) ? a : gpu_complex_precedes(b, a) ? b : a;
}
GPU_COMPLEX_FUNCTION complex<T> max(const complex<T>& a, const complex<T>& b) {
    return isnan(a) ? b : isnan(b) ? a : gpu_complex_precedes(a, b) ? b : a;
}
#undef GPU_COMPLEX_FUNCTION
namespace thrust {
using ::complex;
using ::abs; using ::arg; using ::conj; using ::imag; using ::norm; using ::polar; using ::proj; using ::real;
using ::exp; using ::log; using ::log10; using ::pow; using ::sqrt;
using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan;
using ::sinh; using ::cosh; using ::tanh; using ::asinh; using ::acosh; using ::atanh;
}  // namespace thrust
#endif
)gpu";

// Data, strides and lengths lie as in ArrayArgument. A division in 32 bits is much shorter than one in 64 on a GPU.
constexpr std::string_view kernel_raw_array = R"gpu(
template <class gpu_T, int gpu_rank, bool gpu_dense> struct gpu_raw_array {
    gpu_T* gpu_data;
    long long gpu_strides[8], gpu_lengths[8];
    enum { ndim = gpu_rank };
    __device__ __forceinline__ gpu_T& operator[](long long gpu_j) const {
        if (gpu_dense) return gpu_data[gpu_j];
        long long gpu_at = 0;
        for (int gpu_axis = gpu_rank - 1; gpu_axis > 0; --gpu_axis) {
            const long long gpu_length = gpu_lengths[gpu_axis];
            const long long gpu_rest = ((unsigned long long)(gpu_j | gpu_length) >> 32) == 0
                                           ? (long long)((unsigned)gpu_j / (unsigned)gpu_length)
                                           : gpu_j / gpu_length;
            gpu_at += (gpu_j - gpu_rest * gpu_length) * gpu_strides[gpu_axis];
            gpu_j = gpu_rest;
        }
        return gpu_data[gpu_rank > 0 ? gpu_at + gpu_j * gpu_strides[0] : gpu_j];
    }
    template <int gpu_count>
    __device__ __forceinline__ gpu_T& operator[](const long long (&gpu_place)[gpu_count]) const {
        static_assert(gpu_count == gpu_rank, "y[{i, j}] of a raw array takes as many indices as the array has axes");
        long long gpu_at = 0;
        for (int gpu_axis = 0; gpu_axis < gpu_rank; ++gpu_axis) gpu_at += gpu_place[gpu_axis] * gpu_strides[gpu_axis];
        return gpu_data[gpu_at];
    }
    __device__ __forceinline__ long long size() const {
        long long gpu_count = 1;
        for (int gpu_axis = 0; gpu_axis < gpu_rank; ++gpu_axis) gpu_count *= gpu_lengths[gpu_axis];
        return gpu_count;
    }
    __device__ __forceinline__ const long long* shape() const { return gpu_lengths; }
    __device__ __forceinline__ const long long* strides() const { return gpu_strides; }
};
)gpu";

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

const std::string_view kernel_complex_numbers = R"gpu(
// A number is double with a double, else the complex number's own type: z * 2 stays complex<float>.
template <class A, class B> struct gpu_complex_of { typedef A type; };
template <> struct gpu_complex_of<float, double> { typedef double type; };
template <class A> struct gpu_complex_number {};
#define GPU_COMPLEX_NUMBER(T) template <> struct gpu_complex_number<T> { typedef T type; };
GPU_COMPLEX_NUMBER(char) GPU_COMPLEX_NUMBER(signed char) GPU_COMPLEX_NUMBER(unsigned char) GPU_COMPLEX_NUMBER(short)
GPU_COMPLEX_NUMBER(unsigned short) GPU_COMPLEX_NUMBER(int) GPU_COMPLEX_NUMBER(unsigned) GPU_COMPLEX_NUMBER(long)
GPU_COMPLEX_NUMBER(unsigned long) GPU_COMPLEX_NUMBER(long long) GPU_COMPLEX_NUMBER(unsigned long long)
GPU_COMPLEX_NUMBER(float) GPU_COMPLEX_NUMBER(double) GPU_COMPLEX_NUMBER(bool)
#undef GPU_COMPLEX_NUMBER
#define GPU_COMPLEX_FUNCTION __device__ __forceinline__

template <class T> struct alignas(2 * sizeof(T)) complex {
    typedef T value_type;
    complex() = default;
    GPU_COMPLEX_FUNCTION constexpr complex(T real, T imag = T()) : real_(real), imag_(imag) {}
    template <class U>
    GPU_COMPLEX_FUNCTION constexpr complex(const complex<U>& z) : real_((T)z.real()), imag_((T)z.imag()) {}
    GPU_COMPLEX_FUNCTION constexpr T real() const { return real_; }
    GPU_COMPLEX_FUNCTION constexpr T imag() const { return imag_; }
    GPU_COMPLEX_FUNCTION void real(T value) { real_ = value; }
    GPU_COMPLEX_FUNCTION void imag(T value) { imag_ = value; }
    GPU_COMPLEX_FUNCTION complex& operator=(T real) { real_ = real; imag_ = T(); return *this; }
    template <class U> GPU_COMPLEX_FUNCTION complex& operator+=(const U& z) { return *this = complex(*this + z); }
    template <class U> GPU_COMPLEX_FUNCTION complex& operator-=(const U& z) { return *this = complex(*this - z); }
    template <class U> GPU_COMPLEX_FUNCTION complex& operator*=(const U& z) { return *this = complex(*this * z); }
    template <class U> GPU_COMPLEX_FUNCTION complex& operator/=(const U& z) { return *this = complex(*this / z); }

private:
    T real_, imag_;
};

template <class T> GPU_COMPLEX_FUNCTION complex<T> operator+(const complex<T>& z) { return z; }
template <class T> GPU_COMPLEX_FUNCTION complex<T> operator-(const complex<T>& z) { return {-z.real(), -z.imag()}; }
template <class T> GPU_COMPLEX_FUNCTION complex<T> gpu_complex_product(const complex<T>& a, const complex<T>& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
// Smith's method: no square of a large number.
template <class T> GPU_COMPLEX_FUNCTION complex<T> gpu_complex_quotient(const complex<T>& a, const complex<T>& b) {
    if (fabs(b.real()) >= fabs(b.imag())) {
        const T ratio = b.imag() / b.real(), size = b.real() + b.imag() * ratio;
        return {(a.real() + a.imag() * ratio) / size, (a.imag() - a.real() * ratio) / size};
    }
    const T ratio = b.real() / b.imag(), size = b.real() * ratio + b.imag();
    return {(a.real() * ratio + a.imag()) / size, (a.imag() * ratio - a.real()) / size};
}
#define GPU_COMPLEX_OPERATOR(op, both, with_number, number_with) \
    template <class A, class B> GPU_COMPLEX_FUNCTION complex<typename gpu_complex_of<A, B>::type> \
    operator op(const complex<A>& x, const complex<B>& y) { \
        typedef typename gpu_complex_of<A, B>::type T; \
        const complex<T> a(x), b(y); \
        return both; \
    } \
    template <class A, class B> \
    GPU_COMPLEX_FUNCTION complex<typename gpu_complex_of<A, typename gpu_complex_number<B>::type>::type> \
    operator op(const complex<A>& x, B y) { \
        typedef typename gpu_complex_of<A, B>::type T; \
        const complex<T> a(x); \
        const T b = (T)y; \
        return with_number; \
    } \
    template <class A, class B> \
    GPU_COMPLEX_FUNCTION complex<typename gpu_complex_of<B, typename gpu_complex_number<A>::type>::type> \
    operator op(A x, const complex<B>& y) { \
        typedef typename gpu_complex_of<B, A>::type T; \
        const T a = (T)x; \
        const complex<T> b(y); \
        return number_with; \
    }
GPU_COMPLEX_OPERATOR(+, complex<T>(a.real() + b.real(), a.imag() + b.imag()), complex<T>(a.real() + b, a.imag()),
                     complex<T>(a + b.real(), b.imag()))
GPU_COMPLEX_OPERATOR(-, complex<T>(a.real() - b.real(), a.imag() - b.imag()), complex<T>(a.real() - b, a.imag()),
                     complex<T>(a - b.real(), -b.imag()))
GPU_COMPLEX_OPERATOR(*, gpu_complex_product(a, b), complex<T>(a.real() * b, a.imag() * b),
                     complex<T>(a * b.real(), a * b.imag()))
GPU_COMPLEX_OPERATOR(/, gpu_complex_quotient(a, b), complex<T>(a.real() / b, a.imag() / b),
                     gpu_complex_quotient(complex<T>(a), b))
#undef GPU_COMPLEX_OPERATOR
template <class A, class B> GPU_COMPLEX_FUNCTION bool operator==(const complex<A>& a, const complex<B>& b) {
    return a.real() == b.real() && a.imag() == b.imag();
}
template <class A, class B> GPU_COMPLEX_FUNCTION bool operator!=(const complex<A>& a, const complex<B>& b) {
    return !(a == b);
}
#define GPU_COMPLEX_EQUAL(op, value) \
    template <class A, class B, class N = typename gpu_complex_number<B>::type> \
    GPU_COMPLEX_FUNCTION bool operator op(const complex<A>& a, B b) { return value; } \
    template <class A, class B, class N = typename gpu_complex_number<B>::type> \
    GPU_COMPLEX_FUNCTION bool operator op(B b, const complex<A>& a) { return value; }
GPU_COMPLEX_EQUAL(==, a.real() == b && a.imag() == 0) GPU_COMPLEX_EQUAL(!=, a.real() != b || a.imag() != 0)
#undef GPU_COMPLEX_EQUAL

template <class T> GPU_COMPLEX_FUNCTION T real(const complex<T>& z) { return z.real(); }
template <class T> GPU_COMPLEX_FUNCTION T imag(const complex<T>& z) { return z.imag(); }
template <class T> GPU_COMPLEX_FUNCTION T abs(const complex<T>& z) { return hypot(z.real(), z.imag()); }
template <class T> GPU_COMPLEX_FUNCTION T arg(const complex<T>& z) { return atan2(z.imag(), z.real()); }
template <class T>
GPU_COMPLEX_FUNCTION T norm(const complex<T>& z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <class T> GPU_COMPLEX_FUNCTION complex<T> conj(const complex<T>& z) { return {z.real(), -z.imag()}; }
template <class T> GPU_COMPLEX_FUNCTION complex<T> polar(T length, T angle = T()) {
    return {length * cos(angle), length * sin(angle)};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> sqrt(const complex<T>& z) {
    const T length = abs(z), height = fabs(z.imag());
    if (length == T()) return {T(), z.imag()};
    // Infinite, whatever the real part is.
    if (height == height && !(height - height == T())) return {height, z.imag()};
    const T larger = sqrt((length + fabs(z.real())) / 2), smaller = fabs(z.imag()) / (2 * larger);
    return z.real() >= T() ? complex<T>(larger, copysign(smaller, z.imag()))
                           : complex<T>(smaller, copysign(larger, z.imag()));
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> pow(const complex<T>& z, const complex<T>& power) {
    if (z == T()) return power == T() ? complex<T>(T(1)) : complex<T>();
    return exp(power * log(z));
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> pow(const complex<T>& z, T power) {
    if (z == T()) return power == T() ? complex<T>(T(1)) : complex<T>();
    return polar(pow(abs(z), power), power * arg(z));
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> pow(T base, const complex<T>& power) {
    return pow(complex<T>(base), power);
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> pow(const complex<T>& z, int power) {
    complex<T> result(T(1)), square = z;
    for (unsigned left = power < 0 ? 0u - (unsigned)power : (unsigned)power; left != 0; left /= 2) {
        if (left % 2 != 0) result = result * square;
        square = square * square;
    }
    return power < 0 ? T(1) / result : result;
}
// Where one is exactly 0 the product is too, however large the other one is.
template <class T> GPU_COMPLEX_FUNCTION T gpu_complex_times(T a, T b) {
    return a == T() ? a * copysign(T(1), b) : b == T() ? copysign(T(1), a) * b : a * b;
}
// x is infinite, y is infinite or NaN: nobody knows what an angle of y would be (C, Annex G, has such cases).
template <class T> GPU_COMPLEX_FUNCTION bool gpu_complex_has_no_direction(T x, T y) {
    return !(y - y == T()) && x == x && !(x - x == T());
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> sinh(const complex<T>& z) {
    if (gpu_complex_has_no_direction(z.real(), z.imag())) return {z.real(), z.imag() - z.imag()};
    return {gpu_complex_times(sinh(z.real()), cos(z.imag())), gpu_complex_times(cosh(z.real()), sin(z.imag()))};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> cosh(const complex<T>& z) {
    if (gpu_complex_has_no_direction(z.real(), z.imag())) return {fabs(z.real()), z.imag() - z.imag()};
    return {gpu_complex_times(cosh(z.real()), cos(z.imag())), gpu_complex_times(sinh(z.real()), sin(z.imag()))};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> sin(const complex<T>& z) {
    const complex<T> turned = sinh(complex<T>(-z.imag(), z.real()));
    return {turned.imag(), -turned.real()};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> cos(const complex<T>& z) {
    return cosh(complex<T>(-z.imag(), z.real()));
}
// A real number stays one. Where cosh would overflow, the real part is 1 and the imaginary part next to nothing.
template <class T> GPU_COMPLEX_FUNCTION complex<T> tanh(const complex<T>& z) {
    const T x = z.real(), y = z.imag();
    if (y == T()) return {tanh(x), y};
    if (fabs(x) > T(40)) {
        if (gpu_complex_has_no_direction(x, y)) return {copysign(T(1), x), copysign(T(), y)};
        return {y - y == T() ? copysign(T(1), x) : y - y, 4 * sin(y) * cos(y) * exp(-2 * fabs(x))};
    }
    const T size = cosh(2 * x) + cos(2 * y);
    return {sinh(2 * x) / size, sin(2 * y) / size};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> tan(const complex<T>& z) {
    const complex<T> turned = tanh(complex<T>(-z.imag(), z.real()));
    return {turned.imag(), -turned.real()};
}
)gpu";

const std::string& kernel_complex() {
    // Never destroyed: objects that outlive main compile kernels.
    static const std::string& text = *new std::string(
        std::string(kernel_complex_numbers) + std::string(kernel_complex_inverse) + "#undef GPU_COMPLEX_FUNCTION\n");
    return text;
}

bool names_complex(const std::vector<Token>& tokens) {
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

// Logarithms, exponentials near 0, and the inverse functions, with the cuts of C++ and NumPy (C, Annex G): the sign of
// a zero tells the side of a cut. Arcsine and arccosine: T. E. Hull, T. F. Fairgrieve, P. T. P. Tang, "Implementing the
// complex arcsine and arccosine functions using exception handling", ACM TOMS 23 (1997); areatangent: W. Kahan, "Branch
// cuts for complex elementary functions" (1987); the sums of squares: T. J. Dekker (1971).

const std::string_view kernel_complex_inverse = R"gpu(
// safe_small and safe_large: 4 sqrt(smallest), sqrt(largest) / 8. Between them no square over- or underflows.
template <class T> struct gpu_complex_limits;
template <> struct gpu_complex_limits<float> {
    static constexpr float eps = 1.1920929e-7f, largest = 3.4028235e38f, exponent = 88.0f;
    static constexpr float safe_small = 4.3368087e-19f, safe_large = 2.3058430e18f;
    static constexpr float log_2 = 0.693147181f, log_2_rest = -1.90465421e-9f;
};
template <> struct gpu_complex_limits<double> {
    static constexpr double eps = 2.220446049250313e-16, largest = 1.7976931348623157e308, exponent = 709.0;
    static constexpr double safe_small = 5.966672584960165e-154, safe_large = 1.6759759912428246e153;
    static constexpr double log_2 = 0.69314718055994531, log_2_rest = 2.3190468138462996e-17;
};
#define GPU_COMPLEX_PI T(3.14159265358979323846)
template <class T> GPU_COMPLEX_FUNCTION bool gpu_complex_is_infinite(T x) {
    return fabs(x) > gpu_complex_limits<T>::largest;
}
template <class T> GPU_COMPLEX_FUNCTION T gpu_complex_sum(T a, T b, T& rest) {
    const T sum = a + b, part = sum - a;
    rest += (a - (sum - part)) + (b - part);
    return sum;
}
// (1 + d)^2 + y^2 - 1, with the digits that cancel. fma() with 0: a product that no compiler fuses into what follows.
template <class T> GPU_COMPLEX_FUNCTION T gpu_complex_excess(T d, T y) {
    const T squared_d = fma(d, d, T(0)), squared_y = fma(y, y, T(0));
    T rest = fma(d, d, -squared_d) + fma(y, y, -squared_y);
    T sum = gpu_complex_sum(2 * d, squared_y, rest);
    sum = gpu_complex_sum(sum, squared_d, rest);
    return sum + rest;
}
// log |z|, with all its digits near |z| = 1 and where |z| itself would be infinite.
template <class T> GPU_COMPLEX_FUNCTION T gpu_complex_log_length(const complex<T>& z) {
    typedef gpu_complex_limits<T> limits;
    const T x = fabs(z.real()), y = fabs(z.imag()), larger = x > y ? x : y, smaller = x > y ? y : x;
    if (larger > limits::largest / 2) return log(hypot(x / 2, y / 2)) + limits::log_2;
    const T length = hypot(x, y);
    if (!(length > T(0.5) && length < T(2))) return log(length);
    return log1p(gpu_complex_excess(larger - 1, smaller)) / 2;
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> log(const complex<T>& z) {
    return {gpu_complex_log_length(z), arg(z)};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> log10(const complex<T>& z) {
    return log(z) * T(0.43429448190325182765);
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> log2(const complex<T>& z) {
    const T length = abs(z);
    const bool is_near_1 = length > T(0.5) && length < T(2), is_inside = length <= gpu_complex_limits<T>::largest;
    const T inverse = T(1.44269504088896340736);
    return {is_near_1 || !is_inside ? gpu_complex_log_length(z) * inverse : log2(length), arg(z) * inverse};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> log1p(const complex<T>& z) {
    const T x = z.real(), y = z.imag(), length = hypot(1 + x, y);
    const T angle = atan2(y, 1 + x);
    if (!(length > T(0.5) && length < T(2))) return {gpu_complex_log_length(complex<T>(1 + x, y)), angle};
    return {log1p(gpu_complex_excess(x, y)) / 2, angle};
}

// e^x (cos y + i sin y); a real number stays one.
template <class T> GPU_COMPLEX_FUNCTION complex<T> exp(const complex<T>& z) {
    const T x = z.real(), y = z.imag();
    if (y == T()) return {exp(x), y};
    if (gpu_complex_has_no_direction(x, y)) return x < T() ? complex<T>(T(), copysign(T(), y)) : complex<T>(x, y - y);
    if (x > gpu_complex_limits<T>::exponent && !gpu_complex_is_infinite(x)) {  // e^x may be too large, the result not
        const T half = exp(x / 2);
        return {half * cos(y) * half, half * sin(y) * half};
    }
    const T length = exp(x);
    return {length * cos(y), length * sin(y)};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> expm1(const complex<T>& z) {
    const T x = z.real(), y = z.imag();
    if (y == T()) return {expm1(x), y};
    if (x > gpu_complex_limits<T>::exponent) return exp(z) - T(1);
    const T half = sin(y / 2);
    return {expm1(x) * cos(y) - 2 * half * half, exp(x) * sin(y)};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> exp2(const complex<T>& z) {
    typedef gpu_complex_limits<T> limits;
    const T y = z.imag(), angle = fma(y, limits::log_2, T(0));
    if (y == T()) return {exp2(z.real()), y};
    // What the rounded angle lacks turns a little further.
    const T rest = fma(y, limits::log_2, -angle) + y * limits::log_2_rest, more_c = cos(rest), more_s = sin(rest);
    const T half = exp2(z.real() / 2), c = cos(angle), s = sin(angle);
    return {half * (c * more_c - s * more_s) * half, half * (s * more_c + c * more_s) * half};
}

template <class T> GPU_COMPLEX_FUNCTION bool gpu_isinf(const complex<T>& z) {
    return gpu_complex_is_infinite(z.real()) || gpu_complex_is_infinite(z.imag());
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> gpu_sign(const complex<T>& z) {
    const T x = z.real(), y = z.imag(), larger = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    if (x == T() && y == T()) return {T(), T()};
    const bool infinite_x = gpu_complex_is_infinite(x), infinite_y = gpu_complex_is_infinite(y);
    if (infinite_x != infinite_y && x == x && y == y)
        return infinite_x ? complex<T>(copysign(T(1), x), T()) : complex<T>(T(), copysign(T(1), y));
    const T a = x / larger, b = y / larger, length = hypot(a, b);
    return {a / length, b / length};
}

// The arcsine and the arccosine of x + iy in the first quadrant share their imaginary part.
template <class T> struct gpu_complex_arc { T sine, cosine, imag; };
template <class T> GPU_COMPLEX_FUNCTION gpu_complex_arc<T> gpu_complex_arcs(T x, T y) {
    typedef gpu_complex_limits<T> limits;
    const T right = GPU_COMPLEX_PI / 2;
    if (gpu_complex_is_infinite(x) || gpu_complex_is_infinite(y)) return {atan2(x, y), atan2(y, x), hypot(x, y)};
    if (x > limits::safe_large || y > limits::safe_large || (y < limits::safe_small && x == x)) {
        if (x != 1 && y <= limits::eps * fabs(x - 1)) {
            if (x < 1) return {asin(x), acos(x), y / sqrt((1 - x) * (1 + x))};
            const T root = sqrt(x - 1) * sqrt(x + 1);
            const T size = x > limits::safe_large ? limits::log_2 + log(x) : log1p((x - 1) + root);
            return {right, y / root, size};
        }
        if (y < limits::safe_small) return {right - sqrt(y), sqrt(y), sqrt(y)};
        if (limits::eps * y - 1 >= x) return {x / y, right, limits::log_2 + log(y)};
        const T ratio = x / y;
        return {atan2(x, y), atan2(y, x), limits::log_2 + log(y) + log1p(ratio * ratio) / 2};
    }
    const T r = hypot(x + 1, y), s = hypot(x - 1, y), a = (r + s) / 2, b = x / a;
    gpu_complex_arc<T> arc;
    if (b <= T(0.6417)) {
        arc.sine = asin(b);
        arc.cosine = acos(b);
    } else {
        const T opposite = x <= 1 ? sqrt((a + x) / 2 * (y * y / (r + x + 1) + (s + (1 - x))))
                                  : y * sqrt(((a + x) / (r + x + 1) + (a + x) / (s + (x - 1))) / 2);
        arc.sine = atan2(x, opposite);
        arc.cosine = atan2(opposite, x);
    }
    if (a <= T(1.5)) {
        const T more = x < 1 ? (y * y / (r + x + 1) + y * y / (s + (1 - x))) / 2
                             : (y * y / (r + x + 1) + (s + (x - 1))) / 2;
        arc.imag = log1p(more + sqrt(more * (a + 1)));
    } else {
        arc.imag = log(a + sqrt(a * a - 1));
    }
    return arc;
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> asin(const complex<T>& z) {
    const gpu_complex_arc<T> arc = gpu_complex_arcs(fabs(z.real()), fabs(z.imag()));
    return {copysign(arc.sine, z.real()), copysign(arc.imag, z.imag())};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> acos(const complex<T>& z) {
    const gpu_complex_arc<T> arc = gpu_complex_arcs(fabs(z.real()), fabs(z.imag()));
    return {z.real() < T() ? GPU_COMPLEX_PI - arc.cosine : arc.cosine, copysign(arc.imag, -z.imag())};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> asinh(const complex<T>& z) {
    const complex<T> turned = asin(complex<T>(z.imag(), z.real()));
    return {turned.imag(), turned.real()};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> acosh(const complex<T>& z) {
    const complex<T> arc = acos(z);
    return {fabs(arc.imag()), copysign(arc.real(), z.imag())};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> atanh(const complex<T>& z) {
    typedef gpu_complex_limits<T> limits;
    const T x = fabs(z.real()), y = fabs(z.imag());
    T size, angle;
    if (x > limits::safe_large || y > limits::safe_large) {
        const bool is_infinite = gpu_complex_is_infinite(x) || gpu_complex_is_infinite(y);
        const T halved = x > y ? x / 2 + y / 2 * (y / x) : y / 2 + x / 2 * (x / y);
        size = is_infinite ? T() : (x > y ? T(0.5) : x / y / 2) / halved;
        angle = y == y && (x == x || is_infinite) ? GPU_COMPLEX_PI / 2 : x + y;
    } else if (x == 1 && y < limits::safe_small) {  // next to the pole
        size = (limits::log_2 - log(y)) / 2;
        angle = y == T() ? T() : GPU_COMPLEX_PI / 4;
    } else {
        const T left = 1 - x, square = y < limits::safe_small ? T() : y * y;
        size = log1p(4 * x / (left * left + square)) / 4;
        angle = atan2(2 * y, left * (1 + x) - square) / 2;
    }
    return {copysign(size, z.real()), copysign(angle, z.imag())};
}
template <class T> GPU_COMPLEX_FUNCTION complex<T> atan(const complex<T>& z) {
    const complex<T> turned = atanh(complex<T>(z.imag(), z.real()));
    return {turned.imag(), turned.real()};
}
#undef GPU_COMPLEX_PI
)gpu";

}  // namespace gpu::detail
