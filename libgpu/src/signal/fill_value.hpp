// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/signal.hpp>

namespace gpu::detail {

/// The number beyond an image's edge, in the type that a convolution of these elements adds up in.
class FillValue {
public:
    /// @throws DTypeError if the options ask for a fill value that elements of this type can't be
    FillValue(const signal::ConvolveOptions& options, DType element, const char* operation);

private:
    alignas(16) unsigned char bytes_[16] = {};
};

}  // namespace gpu::detail
