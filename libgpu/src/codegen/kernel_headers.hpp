// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

namespace gpu::detail {

/// The headers that kernels do have, as messages tell them: those in folders beside one that is named are left out.
inline constexpr std::string_view header_list =
    "cuda_fp16.h, cuda_bf16.h, cooperative_groups.h, cuda_pipeline.h, curand_kernel.h, cuComplex.h, "
    "cupy/complex.cuh, math_constants.h, cuda/atomic, cuda/barrier, cuda/pipeline and cuda/std";

/// Headers that kernels' texts include out of habit. A compiler gets an empty file for each: what of theirs kernels can
/// use is there without them.
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

/// <cupy/complex.cuh>, and <thrust/complex.h> as CuPy's kernels name it: libgpu's complex numbers under these names. A
/// text that includes one gets the numbers themselves as names_complex() says.
inline constexpr std::array<std::string_view, 2> complex_headers{"cupy/complex.cuh", "thrust/complex.h"};
extern const std::string_view complex_header;

}  // namespace gpu::detail
