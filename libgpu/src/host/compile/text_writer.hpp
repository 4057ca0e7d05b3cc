// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"
#include "codegen/kernel_tokens.hpp"

namespace gpu::detail::host {

/// Builds a translation unit from our own lines and a learner's snippets, each with its own line numbers.
class TextWriter {
public:
    /// @param name what error messages call our own lines: "libgpu:NAME".
    explicit TextWriter(std::string_view name);

    /// Adds our own text, and a newline at its end.
    TextWriter& line(std::string_view text);
    /// Adds a learner's text, numbered as in its file; what follows is ours again.
    TextWriter& snippet(const SourceText& snippet);
    /// Adds our own text under a name of its own, so that errors in it can be told from others.
    TextWriter& marked(std::string_view marker, std::string_view text);

    /// Adds the head of a function around a learner's text: "GPU_INLINE void gpu_body(", "float x", ") {".
    TextWriter& head(std::string_view before, std::string_view parameters, std::string_view behind);

    /// The complete text as a kernel's source with the entry "libgpu_module".
    [[nodiscard]] KernelSource source(const std::string& name, const std::vector<std::string>& options,
                                      KernelMode mode) const;

private:
    void announce(int line, std::string_view quoted_name);
    void back();
    void append(std::string_view text);

    std::string name_, text_, heads_;
    std::vector<std::size_t> marks_;
    int next_line_ = 1;
};

/// As a C string literal, with its quotes.
std::string string_literal(std::string_view text);

/// True for -DN=16 and -UN.
bool is_definition(const std::string& option);

/// Writes `-DN=16` of the compiler's options as `#define N 16`: after the prelude, whose names it must not change.
void write_definitions(TextWriter& out, const std::vector<std::string>& options);

/// Writes what precedes a kernel's own functions: the prelude, those of its rarer files and of libgpu's own types and
/// functions that the text names, definitions, typedefs, the preamble.
void write_head(TextWriter& out, std::string_view prelude, const ElementwiseText& text);
void write_head(TextWriter& out, std::string_view prelude, const ReductionText& text);

/// Defines `gpu_body`: the body with the outputs as references.
void write_body(TextWriter& out, const ElementwiseText& text);

/// A parameter of the learner's functions. Inputs are passed by value: each is loaded once and, if a kernel works in
/// place, doesn't change with the outputs.
std::string declaration(const Parameter& parameter);

/// Defines `gpu_map`, `gpu_reduce` and `gpu_post`, over `gpu_value`.
void write_expressions(TextWriter& out, const ReductionText& text);
void write_accumulator(TextWriter& out, const ReductionText& text);

/// Declares a local pointer `gpu_pK` for each array parameter K of `gpu_call`, and a value `gpu_cK` for each scalar and
/// each raw array.
void write_locals(TextWriter& out, const std::vector<Parameter>& parameters);

/// Defines `gpu_parameter_list`: the parameters for libgpu's messages and launches.
void write_parameter_list(TextWriter& out, const std::vector<Parameter>& parameters);

}  // namespace gpu::detail::host
