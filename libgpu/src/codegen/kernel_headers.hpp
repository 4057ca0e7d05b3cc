// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

namespace gpu::detail {

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

}  // namespace gpu::detail
