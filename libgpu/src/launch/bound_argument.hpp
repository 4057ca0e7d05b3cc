// SPDX-License-Identifier: MIT
#pragma once

#include "backend.hpp"
#include "launch/generated_call.hpp"

namespace gpu::detail {

/// What a launch passes for a parameter: an array with these strides (a raw one with its own), or a number in the
/// parameter's type. @throws DTypeError for a complex number where the kernel takes another one
Argument argument_of(const Binding& binding, const Strides* strides);

}  // namespace gpu::detail
