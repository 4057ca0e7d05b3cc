// SPDX-License-Identifier: MIT
#include "cuda/compile/portable_names.hpp"

#include <set>

namespace gpu::detail::cuda {

namespace {

struct Name {
    std::string_view name, meaning;
    bool is_type = false;
};

constexpr Name names[] = {
    {"int8_t", "signed char", true},
    {"int16_t", "short", true},
    {"int32_t", "int", true},
    {"int64_t", "long long", true},
    {"uint8_t", "unsigned char", true},
    {"uint16_t", "unsigned short", true},
    {"uint32_t", "unsigned int", true},
    {"uint64_t", "unsigned long long", true},
    {"int_least8_t", "signed char", true},
    {"int_least16_t", "short", true},
    {"int_least32_t", "int", true},
    {"int_least64_t", "long long", true},
    {"uint_least8_t", "unsigned char", true},
    {"uint_least16_t", "unsigned short", true},
    {"uint_least32_t", "unsigned int", true},
    {"uint_least64_t", "unsigned long long", true},
    {"int_fast8_t", "signed char", true},
    {"int_fast16_t", "long", true},
    {"int_fast32_t", "long", true},
    {"int_fast64_t", "long", true},
    {"uint_fast8_t", "unsigned char", true},
    {"uint_fast16_t", "unsigned long", true},
    {"uint_fast32_t", "unsigned long", true},
    {"uint_fast64_t", "unsigned long", true},
    {"intmax_t", "long", true},
    {"uintmax_t", "unsigned long", true},
    {"intptr_t", "long", true},
    {"uintptr_t", "unsigned long", true},
    {"uchar", "unsigned char", true},
    {"ushort", "unsigned short", true},
    {"uint", "unsigned int", true},
    {"ulong", "unsigned long", true},
    {"INFINITY", "__int_as_float(0x7f800000)"},
    {"NAN", "__int_as_float(0x7fffffff)"},
    {"FLT_MAX", "3.402823466e+38f"},
    {"FLT_MIN", "1.175494351e-38f"},
    {"FLT_EPSILON", "1.192092896e-07f"},
    {"DBL_MAX", "1.7976931348623157e+308"},
    {"DBL_MIN", "2.2250738585072014e-308"},
    {"DBL_EPSILON", "2.2204460492503131e-16"},
    {"CHAR_BIT", "8"},
    {"SCHAR_MAX", "127"},
    {"SCHAR_MIN", "(-128)"},
    {"UCHAR_MAX", "255"},
    {"CHAR_MAX", "127"},
    {"SHRT_MAX", "32767"},
    {"SHRT_MIN", "(-32768)"},
    {"USHRT_MAX", "65535"},
    {"LONG_MAX", "9223372036854775807l"},
    {"LONG_MIN", "(-9223372036854775807l - 1)"},
    {"ULONG_MAX", "18446744073709551615ul"},
    {"SIZE_MAX", "18446744073709551615ul"},
    {"INT8_MAX", "127"},
    {"INT8_MIN", "(-128)"},
    {"UINT8_MAX", "255"},
    {"INT16_MAX", "32767"},
    {"INT16_MIN", "(-32768)"},
    {"UINT16_MAX", "65535"},
    {"INT32_MAX", "2147483647"},
    {"INT32_MIN", "(-2147483647 - 1)"},
    {"UINT32_MAX", "4294967295u"},
    {"INT64_MAX", "9223372036854775807ll"},
    {"INT64_MIN", "(-9223372036854775807ll - 1)"},
    {"UINT64_MAX", "18446744073709551615ull"},
    {"INT_MAX", "2147483647"},
    {"INT_MIN", "(-2147483647 - 1)"},
    {"UINT_MAX", "4294967295u"},
    {"LLONG_MAX", "9223372036854775807ll"},
    {"LLONG_MIN", "(-9223372036854775807ll - 1)"},
    {"ULLONG_MAX", "18446744073709551615ull"},
    {"M_PI", "3.14159265358979323846"},
    {"M_E", "2.7182818284590452354"},
    {"M_SQRT2", "1.41421356237309504880"},
};

}  // namespace

std::string portable_names(const std::vector<Token>& tokens) {
    const bool has_types = includes(tokens, "<cuda/");
    std::set<std::string_view> named;
    for (const Token& token : tokens)
        if (token.is_name()) named.insert(token.text);
    std::string text;
    for (const Name& entry : names) {
        if (named.count(entry.name) == 0 || (entry.is_type && has_types)) continue;
        const std::string name(entry.name), meaning(entry.meaning);
        text += entry.is_type ? "typedef " + meaning + ' ' + name + ";\n"
                              : "#ifndef " + name + "\n#define " + name + ' ' + meaning + "\n#endif\n";
    }
    return text;
}

namespace {

// Integer arguments give a double.
constexpr std::string_view of_whole[] = {"sqrt",   "cbrt",  "exp",   "exp2", "exp10",     "expm1", "log",   "log2",
                                         "log10",  "log1p", "logb",  "sin",  "cos",       "tan",   "asin",  "acos",
                                         "atan",   "sinh",  "cosh",  "tanh", "asinh",     "acosh", "atanh", "floor",
                                         "ceil",   "trunc", "round", "rint", "nearbyint", "erf",   "erfc",  "tgamma",
                                         "lgamma", "fabs",  "j0",    "j1",   "y0",        "y1"};
// Integer arguments give a bool.
constexpr std::string_view about_whole[] = {"isnan", "isinf", "isfinite", "signbit"};
// For two arguments of different types, or two integers.
constexpr std::string_view of_two[] = {"pow",      "atan2",     "hypot", "fmod", "remainder",
                                       "copysign", "nextafter", "fdim",  "fmin", "fmax"};

constexpr std::string_view types = R"(template <class _T> struct _Whole {};
template <> struct _Whole<bool> { typedef double type; typedef bool answer; };
template <> struct _Whole<char> : _Whole<bool> {};
template <> struct _Whole<signed char> : _Whole<bool> {};
template <> struct _Whole<unsigned char> : _Whole<bool> {};
template <> struct _Whole<short> : _Whole<bool> {};
template <> struct _Whole<unsigned short> : _Whole<bool> {};
template <> struct _Whole<int> : _Whole<bool> {};
template <> struct _Whole<unsigned int> : _Whole<bool> {};
template <> struct _Whole<long> : _Whole<bool> {};
template <> struct _Whole<unsigned long> : _Whole<bool> {};
template <> struct _Whole<long long> : _Whole<bool> {};
template <> struct _Whole<unsigned long long> : _Whole<bool> {};
template <class _T> struct _Number : _Whole<_T> {};
template <> struct _Number<float> : _Whole<bool> {};
template <> struct _Number<double> : _Whole<bool> {};
)";

// True if the text calls it and doesn't declare its own ("T round(T x)").
bool calls(const std::vector<Token>& tokens, std::string_view name) {
    bool called = false;
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
        if (!tokens[k].is_name() || tokens[k].text != name || tokens[k + 1].text != "(") continue;
        called = true;
        if (k == 0 || !tokens[k - 1].is_name() || tokens[k - 1].line != tokens[k].line) continue;
        const std::string_view before = tokens[k - 1].text;
        const bool is_macro = k > 1 && tokens[k - 2].text == "define" && tokens[k - 2].in_directive;
        if (!is_macro && before != "return" && before != "else" && before != "do" && before != "case") return false;
    }
    return called;
}

std::string function(std::string_view name, std::string_view head, std::string_view parameters, std::string_view call) {
    std::string text = "template <" + std::string(head) + ' ' + std::string(name) + '(' + std::string(parameters);
    return text += ") { return " + std::string(name) + '(' + std::string(call) + "); }\n";
}

}  // namespace

std::string mixed_math(const std::vector<Token>& tokens) {
    std::string functions;
    for (const std::string_view name : of_whole) {
        if (!calls(tokens, name)) continue;
        functions += function(name, "class _T> static __device__ __forceinline__ typename _Whole<_T>::type", "_T _x",
                              "(double)_x");
    }
    for (const std::string_view name : about_whole) {
        if (!calls(tokens, name)) continue;
        functions += function(name, "class _T> static __device__ __forceinline__ typename _Whole<_T>::answer", "_T _x",
                              "(double)_x");
    }
    for (const std::string_view name : of_two) {
        if (!calls(tokens, name)) continue;
        functions += function(name,
                              "class _T, class _U, class = typename _Number<_U>::type> static __device__ "
                              "__forceinline__ typename _Number<_T>::type",
                              "_T _x, _U _y", "(double)_x, (double)_y");
    }
    return functions.empty() ? "" : std::string(types) + functions;
}

}  // namespace gpu::detail::cuda
