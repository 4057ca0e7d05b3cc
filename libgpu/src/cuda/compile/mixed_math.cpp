// SPDX-License-Identifier: MIT
#include "cuda/compile/mixed_math.hpp"

namespace gpu::detail::cuda {

namespace {

// Of a whole number: a double.
constexpr std::string_view of_whole[] = {"sqrt",   "cbrt",  "exp",   "exp2", "exp10",     "expm1", "log",   "log2",
                                         "log10",  "log1p", "logb",  "sin",  "cos",       "tan",   "asin",  "acos",
                                         "atan",   "sinh",  "cosh",  "tanh", "asinh",     "acosh", "atanh", "floor",
                                         "ceil",   "trunc", "round", "rint", "nearbyint", "erf",   "erfc",  "tgamma",
                                         "lgamma", "fabs",  "j0",    "j1",   "y0",        "y1"};
// Of a whole number: yes or no.
constexpr std::string_view about_whole[] = {"isnan", "isinf", "isfinite", "signbit"};
// Of two numbers of different types, or two whole ones.
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

// True if the text calls it and doesn't declare one of its own ("T round(T x)").
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
