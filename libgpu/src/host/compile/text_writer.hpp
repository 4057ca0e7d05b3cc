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

/// A parameter of the learner's functions, and whether a reduction's post sees it. Inputs are passed by value: each is
/// loaded once and, if a kernel works in place, doesn't change with the outputs.
std::string declaration(const Parameter& parameter);
bool is_in_post(const Parameter& parameter);

/// Defines `gpu_map`, `gpu_reduce` and `gpu_post`, over `gpu_value`.
void write_expressions(TextWriter& out, const ReductionText& text);
void write_accumulator(TextWriter& out, const ReductionText& text);

/// Declares a local pointer `gpu_pK` for each array parameter K of `gpu_call`, and a value `gpu_cK` for each scalar and
/// each raw array.
void write_locals(TextWriter& out, const std::vector<Parameter>& parameters);

/// Defines `gpu_parameter_list`: the parameters for libgpu's messages and launches.
void write_parameter_list(TextWriter& out, const std::vector<Parameter>& parameters);

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

/// What kernels may not use on the host, or on any GPU, as compiler messages at the learner's lines ("" if nothing).
/// `needs_annotations`: a function or a variable without __device__ counts as the host's, as in CUDA.
std::string unsupported(const std::vector<Token>& tokens, std::string_view file, int first_line,
                        bool needs_annotations = true);

/// The text with `template __global__ void k<float>(float*);` blanked out: kernels are inline here, and one that is
/// launched is instantiated anyway. Every other character keeps its place.
std::string without_instantiations(std::string text, const std::vector<Token>& tokens);

/// The text with the `static` of `static __device__ int table[4];` blanked out: a compiler that sees all uses of a
/// variable would take it for a constant, but the host program may write to it.
std::string without_static_variables(std::string text, const std::vector<Token>& tokens);

}  // namespace gpu::detail::host
