// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace course {

/// "0.1.0"
std::string kit_version();

/// What computes here when no GPU does: "AMD EPYC 9654, 2 threads".
std::string machine_text();

}  // namespace course
