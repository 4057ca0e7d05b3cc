// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"
#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

/// libgpu's own functions (`gpu_minimum`, `gpu_cast`, ...) that a kernel's text calls, and those that they call, in
/// CUDA C++ for every backend; "" if none. NaN, zero and overflow behave the same on each backend.
[[nodiscard]] std::string functions_named_in(const std::vector<Token>& tokens);

/// A kernel's complete text: the names in it determine which of libgpu's types and functions it gets.
[[nodiscard]] std::string all_text(const ElementwiseText& text);
[[nodiscard]] std::string all_text(const ReductionText& text);

/// True if a body appears to take longer than its loads: each GPU thread then computes one element, so that expensive
/// ones are spread over the device.
[[nodiscard]] bool is_bound_by_arithmetic(const std::string& body);

/// True if a kernel's text names the type `half` or `__nv_bfloat16` without getting it elsewhere.
[[nodiscard]] bool needs_half(const std::vector<Token>& tokens);
[[nodiscard]] bool needs_bfloat16(const std::vector<Token>& tokens);

/// A raw kernel's text followed by the names of its entries: `mul<complex<float>>` names types that the text may not.
[[nodiscard]] std::string text_and_names(const RawText& text);
/// `#include <cuda_fp16.h>` for a raw text whose entries name `half` and which doesn't include it; the same for
/// `__nv_bfloat16` and <cuda_bf16.h>; otherwise "".
[[nodiscard]] std::string short_float_headers(const RawText& text, const std::vector<Token>& tokens);

/// libgpu's own device types and functions that a generated kernel's text names, in CUDA C++ for every backend, and
/// types with NumPy's names (float16, int64); except complex numbers, see kernel_complex.
[[nodiscard]] std::string kernel_support(const std::vector<Token>& tokens);

/// The headers that kernels have, for messages: a named one stands for those in its folder, too.
inline constexpr std::string_view header_list =
    "cuda_fp16.h, cuda_bf16.h, cooperative_groups.h, cuda_pipeline.h, curand_kernel.h, cuComplex.h, "
    "cupy/complex.cuh, math_constants.h, cuda/atomic, cuda/barrier, cuda/pipeline and cuda/std";

/// Headers that kernels' texts include out of habit. The compiler gets an empty file for each: whatever kernels can use
/// from them exists anyway.
inline constexpr std::array<std::string_view, 37> empty_headers{"assert.h",
                                                                "ctype.h",
                                                                "float.h",
                                                                "inttypes.h",
                                                                "limits.h",
                                                                "math.h",
                                                                "stdbool.h",
                                                                "stddef.h",
                                                                "stdint.h",
                                                                "stdio.h",
                                                                "stdlib.h",
                                                                "string.h",
                                                                "time.h",
                                                                "cassert",
                                                                "cfloat",
                                                                "cinttypes",
                                                                "climits",
                                                                "cmath",
                                                                "cstddef",
                                                                "cstdint",
                                                                "cstdio",
                                                                "cstdlib",
                                                                "cstring",
                                                                "ctime",
                                                                "cuda.h",
                                                                "cuda_runtime.h",
                                                                "driver_types.h",
                                                                "vector_types.h",
                                                                "vector_functions.h",
                                                                "cuda_runtime_api.h",
                                                                "builtin_types.h",
                                                                "sm_20_intrinsics.h",
                                                                "math_functions.h",
                                                                "device_functions.h",
                                                                "cuda_device_runtime_api.h",
                                                                "device_launch_parameters.h",
                                                                "device_atomic_functions.h"};

/// <cuComplex.h>, for a backend whose compiler doesn't have it.
extern const std::string_view cu_complex_header;

/// <cupy/complex.cuh>, and <thrust/complex.h>, as CuPy's kernels include it: libgpu's complex numbers under these
/// names. A text that includes one gets the numbers themselves, see needs_complex().
inline constexpr std::array<std::string_view, 2> complex_headers{"cupy/complex.cuh", "thrust/complex.h"};
extern const std::string_view complex_header;

/// The type of a raw parameter in a kernel: `y[j]` counts in row-major order whatever the layout, `y[{i, j}]` by axes.
/// In CUDA C++ that every backend's compiler accepts.
extern const std::string_view kernel_raw_array;

[[nodiscard]] bool has_raw(const std::vector<Parameter>& parameters);
[[nodiscard]] bool has_raw_output(const std::vector<Parameter>& parameters);

/// "gpu_raw_array<const float, 2, true>": the type of a raw parameter's object.
[[nodiscard]] std::string raw_array_type(const Parameter& parameter);

/// `complex<float>` and `complex<double>` for kernels, in CUDA C++ that every backend's compiler accepts.
extern const std::string_view kernel_complex;

/// True if a kernel's text names `complex<...>`, or includes one of complex_headers, and doesn't define it itself.
[[nodiscard]] bool needs_complex(const std::vector<Token>& tokens);

}  // namespace gpu::detail
