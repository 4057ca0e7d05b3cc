// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"
#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

/// A kernel's name with blanks only where they part words: "mul<float,2>" of " mul< float, 2 >".
[[nodiscard]] std::string tidy_name(const std::string& name);

/// A parameter of a raw kernel, read from its source without a compiler: what it tells is a guess that the compiler
/// then confirms.
struct DeclaredParameter {
    std::string type;   ///< "float" of `const float* __restrict__ x`; standard spelling where it is a number's
    std::string words;  ///< the same as it was written: "int64_t"
    std::string name;   ///< "x"; empty if it has none
    bool is_number = false;                      ///< the type is known to be one; float2 is a complex number
    bool is_pointer = false;
    bool is_const = false, is_volatile = false;  ///< what it points to; of `const float* const* x` the floats
    bool points_to_pointers = false, has_const_pointers = false;  ///< `float** x`, and `float* const* x`
};

/// The kernel's parameters, if the source declares exactly one `__global__` function of that name (or one with `count`
/// parameters); else none and `found` is false.
[[nodiscard]] std::vector<DeclaredParameter> declared_parameters(const std::string& source, const std::string& name,
                                                                 std::size_t count, bool& found);

/// A number's type in libgpu's spelling: "long long" for "int64_t" and "long"; "" for what is no such type.
[[nodiscard]] std::string standard_type(const std::string& words);

/// The element type that a `__constant__` or `__device__` variable is declared with, in the standard spelling; "" if
/// that can't be told.
[[nodiscard]] std::string declared_variable_type(const std::string& source, const std::string& name);

/// The names of the `__constant__` and `__device__` variables of a source, for messages.
[[nodiscard]] std::vector<std::string> declared_variables(const std::string& source);

/// A `__constant__` variable, and whether its declaration gives it a value.
struct ConstantVariable {
    std::string name;
    bool has_value = false;
};

/// The `__constant__` variables of a source whose names no other variable has.
[[nodiscard]] std::vector<ConstantVariable> constant_variables(const std::string& source);

/// A `__global__` function found in CUDA C++ text.
struct KernelDeclaration {
    std::string name;        ///< "mul"
    std::string parameters;  ///< "(const T* x, T* y, int n)", white space as single blanks
};

/// The kernels that a source defines, found without a parser: for messages only.
[[nodiscard]] std::vector<KernelDeclaration> find_kernels(const std::vector<Token>& tokens);
[[nodiscard]] std::vector<KernelDeclaration> find_kernels(std::string_view source);

/// What a source has instead of a kernel of that name and signature.
[[nodiscard]] Unresolved unresolved_kernel(const std::vector<KernelDeclaration>& kernels, const std::string& name,
                                           const std::string& signature);

/// The kernels that a module has without being told: those that need no template arguments, with their namespaces
/// ("ns::add"). What stands between #if and #endif, or has overloads, isn't among them.
[[nodiscard]] std::vector<std::string> plain_kernels(const std::string& source);

/// Kernels that a module may have, too: those between #if and #endif, and those that a macro makes where it is used.
/// Only a compiler knows.
[[nodiscard]] std::vector<std::string> possible_kernels(const std::string& source);

/// Lines for behind a source that make the compiler compare sizes and alignments with the C++ code's; "" for none.
/// Its complaints are about a file "libgpu:struct".
[[nodiscard]] std::string layout_checks(const std::vector<StructLayout>& structs);

/// `StridedView`, if a source names it: what kernels get where they ask for an array with its strides.
[[nodiscard]] std::string strided_view_text(const std::vector<Token>& tokens);

// Where and how the text of a generated kernel uses its elements: for check mode, which counts them.

/// The line of a snippet's file where it first names something; its first line if it doesn't.
[[nodiscard]] int line_naming(const Snippet& snippet, std::string_view name);

/// True if a body certainly assigns an output before it could read it or return, and takes no address of it: then it
/// can work on a local variable that is stored once. False if that can't be told, or if another parameter is a whole
/// array, in which the body could see the element change.
[[nodiscard]] bool assigns_first(const ElementwiseText& text, std::string_view output);

}  // namespace gpu::detail
