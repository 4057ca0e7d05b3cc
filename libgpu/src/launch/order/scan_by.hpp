// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/sorting.hpp>

#include "launch/order/scan.hpp"

namespace gpu::detail {

/// Scans a value as `space` divides it up, into a new array of this shape and of the request's result type. Null
/// `starts`: an element of them begins a segment, see ScanTypes.
ArrayCore scan_by(const ScanRequest& request, const NodePointer& value, const Shape& shape, const ScanSpace& space,
                  const ArrayCore* starts);

}  // namespace gpu::detail
