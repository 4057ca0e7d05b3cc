// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "kernels/texts/atomics.hpp"
#include "kernels/texts/complex.hpp"
#include "kernels/texts/groups.hpp"
#include "kernels/texts/half.hpp"
#include "kernels/texts/idioms.hpp"
#include "kernels/texts/math.hpp"
#include "kernels/texts/mixed.hpp"
#include "kernels/texts/names.hpp"
#include "kernels/texts/simd.hpp"
#include "kernels/texts/spaces.hpp"
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
};

}  // namespace texts
