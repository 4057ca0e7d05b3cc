// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "codegen/kernel_text.hpp"
#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

/// The functions of libgpu's own (`gpu_minimum`, `gpu_cast`, ...) that a kernel's text calls, and those that these
/// call, in CUDA C++ for every backend; "" for none. NaN, zero and overflow do on each what they do on the other.
[[nodiscard]] std::string functions_named_in(const std::vector<Token>& tokens);

/// All of a kernel's text in one piece: what it names decides which of libgpu's types and functions it gets.
[[nodiscard]] std::string all_text(const ElementwiseText& text);
[[nodiscard]] std::string all_text(const ReductionText& text);

/// True if a body takes longer than its loads, as far as its text tells: a GPU's thread then takes one element, so that
/// those that take long are spread over the device.
[[nodiscard]] bool is_bound_by_arithmetic(const std::string& body);

/// True if a kernel's text names the type `half` and doesn't get it elsewhere.
[[nodiscard]] bool names_half(const std::vector<Token>& tokens);

/// A raw kernel's text and, behind it, what its entries are called: `mul<complex<float>>` names types that the text may
/// not.
[[nodiscard]] std::string text_and_names(const RawText& text);
/// `#include <cuda_fp16.h>` for a raw text whose entries name `half` and which doesn't include it; else "".
[[nodiscard]] std::string half_header(const RawText& text, const std::vector<Token>& tokens);

/// libgpu's own device types and functions that a generated kernel's text names, in CUDA C++ for every backend, and the
/// types that it names as NumPy does (float16, int64); but for complex numbers, see kernel_complex.
[[nodiscard]] std::string kernel_support(const std::vector<Token>& tokens);

}  // namespace gpu::detail
