// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/device.hpp>

#include "backend/fft.hpp"

namespace gpu::detail {

/// The device's Fourier transforms, or a test's replacement for them.
FourierTransforms& fourier_of(Device device);
/// For tests: replaces them on every device; null restores them.
void replace_fourier(FourierTransforms* other) noexcept;

}  // namespace gpu::detail
