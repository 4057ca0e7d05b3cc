// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"
#include "host/compile/text_writer.hpp"

namespace gpu::detail::host {

/// True for -DN=16 and -UN.
bool is_definition(const std::string& option);

/// `-DN=16` of the compiler's options as `#define N 16`: behind the prelude, whose names it must not change.
void write_definitions(TextWriter& out, const std::vector<std::string>& options);

/// What stands before a kernel's own functions: the prelude, what the text names of its rarer files and of libgpu's own
/// types and functions, definitions, typedefs, the preamble.
void write_head(TextWriter& out, std::string_view prelude, const ElementwiseText& text);
void write_head(TextWriter& out, std::string_view prelude, const ReductionText& text);

/// Defines `gpu_body`: the body with the outputs as references.
void write_body(TextWriter& out, const ElementwiseText& text);

/// A parameter of the learner's functions, and whether a reduction's post sees it. Inputs go by value: each is loaded
/// once, and where a kernel works in place, they don't change with the outputs.
std::string declaration(const Parameter& parameter);
bool is_in_post(const Parameter& parameter);

/// Defines `gpu_map`, `gpu_reduce` and `gpu_post`, over `gpu_value`.
void write_expressions(TextWriter& out, const ReductionText& text);
void write_accumulator(TextWriter& out, const ReductionText& text);

/// Declares a local pointer `gpu_pK` for each array parameter K of `gpu_call`, and a value `gpu_cK` for each scalar
/// and each raw array.
void write_locals(TextWriter& out, const std::vector<Parameter>& parameters);

/// Defines `gpu_parameter_list`: what libgpu's messages and launches know of the parameters.
void write_parameter_list(TextWriter& out, const std::vector<Parameter>& parameters);

}  // namespace gpu::detail::host
