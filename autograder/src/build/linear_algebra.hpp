// SPDX-License-Identifier: MIT
#pragma once

#include "build/toolchain.hpp"

namespace course {

/// Builds libgpu's linear algebra for the host if it isn't there, and says so meanwhile. That takes minutes, and few
/// exercises need it, so neither `make tour` nor the first exercises wait for it. Once built, make keeps it up to date.
/// @throws BuildFault
void build_linear_algebra(const Toolchain& toolchain);

}  // namespace course
