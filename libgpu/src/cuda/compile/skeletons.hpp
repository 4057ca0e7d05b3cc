// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"
#include "cuda/compile/source_writer.hpp"

namespace gpu::detail::cuda {

// A skeleton is the CUDA C++ around a text. All functions are pure: text in, text out. Skeletons include no header, so
// that a kernel compiles in about 20 ms. Our names start with `_`; learners' names don't.

/// A kernel for one launch of ElementwiseParts, whose threads divide the elements as `work` says.
[[nodiscard]] KernelSource elementwise_skeleton(const ElementwiseText& text);

/// A kernel that maps and reduces. An output that is split over several blocks gets partial results.
[[nodiscard]] KernelSource reduction_skeleton(const ReductionText& text);

/// The kernel that joins these. It takes the same arguments except the mapped inputs, so reductions that differ only in
/// their maps share it. Both kernels combine in a fixed order: same input, same bits.
[[nodiscard]] KernelSource join_skeleton(const ReductionText& text);

/// The learner's text unchanged. With a signature, an entry is a name expression that makes NVRTC check it.
[[nodiscard]] KernelSource raw_skeleton(const RawText& text);

/// The maximum size in bytes of a reduction's accumulator.
inline constexpr int max_accumulator_bytes = 64;

// Parts that the two generated kinds share.

/// Adds fixed-width integers, INFINITY and NAN, and complex numbers if the preamble or another of the learner's texts
/// names them; then the typedefs and the preamble.
void add_prelude(SourceWriter& writer, const std::string& typedefs, const SourceText& preamble,
                 const std::string& all_text);
/// The type of raw parameters, if there are any. Behind the prelude.
void add_raw(SourceWriter& writer, const std::vector<Parameter>& parameters);
/// "const float* _x", "const _Strided<const float> _x" or "const float _x": the kernel's parameter.
[[nodiscard]] std::string kernel_parameter(const Parameter& parameter);
/// The same as a member of a struct that refers to the kernel's parameters.
[[nodiscard]] std::string kernel_member(const Parameter& parameter);
/// A member function in which a walk's threads do something with the parameters, of these lines.
[[nodiscard]] std::string device_function(const std::string& head, const std::string& lines);
/// "const float x" or "float& x": how the learner's text sees it. Inputs go by value: each is loaded once, and where a
/// kernel works in place, they don't change with the outputs.
[[nodiscard]] std::string user_parameter(const Parameter& parameter);
/// "_c0 * _x.strides[0] + _c1 * _x.strides[1]" for `count` axes from `first`, with `cast` before each factor; "0" if
/// there are none.
[[nodiscard]] std::string offset(const std::string& array, int first, int count, const std::string& cast = "");

}  // namespace gpu::detail::cuda
