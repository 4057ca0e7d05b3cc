// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "kernels/texts/atomics.hpp"
#include "kernels/texts/complex.hpp"
#include "kernels/texts/complex_names.hpp"
#include "kernels/texts/copies.hpp"
#include "kernels/texts/groups.hpp"
#include "kernels/texts/half.hpp"
#include "kernels/texts/idioms.hpp"
#include "kernels/texts/library.hpp"
#include "kernels/texts/math.hpp"
#include "kernels/texts/mixed.hpp"
#include "kernels/texts/names.hpp"
#include "kernels/texts/simd.hpp"
#include "kernels/texts/spaces.hpp"
#include "kernels/texts/texture.hpp"
#include "kernels/texts/torture.hpp"
#include "kernels/texts/warp.hpp"

namespace texts {

inline constexpr std::pair<const char*, const char*> all[] = {
    {"atomics", atomics},
    {"spaces", spaces},
    {"torture", torture},
    {"warp", warp},
    {"reductions", warp_reductions},
    {"complex", complex},
    {"complex_names", complex_names},
    {"groups", groups},
    {"names", names},
    {"simd", simd},
    {"half", half},
    {"math", math},
    {"mixed", mixed},
    {"intrinsics", intrinsics},
    {"shared_idioms", shared_idioms},
    {"scans", scans},
    {"cuda_std", cuda_std},
    {"bfloat16", bfloat16},
    {"named_barriers", named_barriers},
    {"cuda_atomic", cuda_atomic},
    {"grid_sync", grid_sync},
    {"curand", curand},
    {"device_heap", device_heap},
    {"copies", copies},
    {"cuda_pipeline", cuda_pipeline},
    {"cuda_barrier", cuda_barrier},
    {"texture", texture},
};

}  // namespace texts
