// SPDX-License-Identifier: MIT
#pragma once

// `course-runner --reference` loads no object: it has one function of its own. Called by Order::prepare, it makes
// results of the given shapes, copies on the device while the clock runs, and delivers those results.

#include "protocol/protocol.hpp"

namespace course::protocol {

inline constexpr const char* reference_option = "--reference";
inline constexpr const char* reference_name = "reference";

/// Its arguments: how many bytes are read and written together; and of each result its place, its type, its rank and
/// its lengths.
inline constexpr ValueType reference_bytes{Place::scalar, Type::uint64};
inline constexpr ValueType reference_shapes{Place::host_vector, Type::int64};

}  // namespace course::protocol
