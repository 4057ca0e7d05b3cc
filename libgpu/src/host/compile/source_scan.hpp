// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail::host {

// What the host backend looks for in a raw kernel's text. It looks at names and brackets, never at meaning.

/// The names in a parameter list such as "(const T* x, T* y, int)": "x", "y" and "".
std::vector<std::string> parameter_names(const std::string& parameters);

/// True if a loop in the text may poll a location until another thread changes it.
bool may_wait(const std::vector<Token>& tokens);

/// True if a condition declares a variable: `while (int left = n - k)`.
bool declares_in_while(const std::vector<Token>& tokens);

/// True if the text uses a barrier or a warp operation.
bool synchronises(const std::vector<Token>& tokens);

/// True if the text has a function of this name, but no `__global__` one.
bool is_no_kernel(const std::vector<Token>& tokens, std::string_view name);

/// The text with `template __global__ void k<float>(float*);` blanked out: kernels are inline here, and one that is
/// launched is instantiated anyway. Every other character keeps its place.
std::string without_instantiations(std::string text, const std::vector<Token>& tokens);

/// The text with the `static` of `static __device__ int table[4];` blanked out: a compiler that sees all uses of a
/// variable would take it for a constant, but the host program may write to it.
std::string without_static_variables(std::string text, const std::vector<Token>& tokens);

}  // namespace gpu::detail::host
