// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace gpucc {

/// Writes into a folder, for each of CUDA's libraries that gpucc hasn't, headers that say so by an `#error`; and
/// those of Thrust, which lead to one of gpucc's. Where a
/// toolkit is installed, its own headers would compile to anything else.
void write_absent_headers(const std::string& folder);

}  // namespace gpucc
