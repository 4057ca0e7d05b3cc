// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/signal.hpp>

namespace gpu::detail {

/// One call of convolve2d or correlate2d.
struct Convolution {
    enum class Method { automatic, plain, small, tiled, tall };

    const char* operation = "convolve2d";
    bool correlates = false;   ///< unflipped, conjugated filter; otherwise flipped
    Method method = Method::automatic;  ///< tests choose one
};

ArrayCore convolved(const Convolution& how, DType result, const NodePointer& image, const NodePointer& filter,
                    const signal::ConvolveOptions& options);

}  // namespace gpu::detail
