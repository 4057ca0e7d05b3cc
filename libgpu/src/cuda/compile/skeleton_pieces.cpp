// SPDX-License-Identifier: MIT
#include "codegen/kernel_complex.hpp"
#include "codegen/kernel_raw_array.hpp"
#include "codegen/kernel_support.hpp"
#include "cuda/compile/mixed_math.hpp"
#include "cuda/compile/skeletons.hpp"

namespace gpu::detail::cuda {

namespace {

constexpr std::string_view prelude = R"(typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
)";

}  // namespace

void add_prelude(SourceWriter& writer, const std::string& typedefs, const Snippet& preamble,
                 const std::string& all_text) {
    const std::vector<Token> tokens = tokens_of(all_text);
    writer.add(prelude);
    if (names_complex(tokens)) writer.add(kernel_complex());
    writer.add(kernel_support(tokens));
    writer.add(mixed_math(tokens));
    writer.add(typedefs);
    if (!typedefs.empty() && typedefs.back() != '\n') writer.add("\n");
    if (!preamble.text.empty()) writer.add(preamble);
    writer.add("\n");
}

void add_raw(SourceWriter& writer, const std::vector<Parameter>& parameters) {
    if (has_raw(parameters)) writer.add(kernel_raw_array);
}

std::string strided_type(int axes) {
    return "template <class _T> struct _Strided { _T* data; long long strides[" + std::to_string(axes) + "]; };\n";
}

std::string kernel_parameter(const Parameter& parameter) {
    if (parameter.is_raw) return "const " + raw_array_type(parameter) + " _arg_" + parameter.name;
    const std::string type = (parameter.role == Parameter::Role::output ? "" : "const ") + parameter.type;
    if (parameter.role == Parameter::Role::scalar) return type + " _arg_" + parameter.name;
    if (parameter.strided) return "const _Strided<" + type + "> _arg_" + parameter.name;
    return type + "* _arg_" + parameter.name;
}

std::string learners_parameter(const Parameter& parameter) {
    if (parameter.is_raw) return "const " + raw_array_type(parameter) + "& " + parameter.name;
    if (parameter.role == Parameter::Role::output) return parameter.type + "& " + parameter.name;
    return "const " + parameter.type + " " + parameter.name;
}

std::string offset(const std::string& array, int first, int count, const std::string& cast) {
    std::string sum;
    for (int axis = first; axis < first + count; ++axis) {
        const std::string number = std::to_string(axis);
        sum += (sum.empty() ? "" : " + ") + cast + "_c" + number + " * " + cast + array + ".strides[" + number + "]";
    }
    return sum.empty() ? "0" : sum;
}

}  // namespace gpu::detail::cuda
