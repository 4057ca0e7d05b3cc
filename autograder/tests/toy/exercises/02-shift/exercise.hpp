// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/gpu.hpp>

/// x + 1, one thread an element.
gpu::Array<float> shift(const gpu::Array<float>& x);
