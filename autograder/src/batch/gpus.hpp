// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace course {

/// One value of CUDA_VISIBLE_DEVICES for each GPU that a batch may use, given this program's own value (null: not set)
/// and how many GPUs that shows. Pure.
std::vector<std::string> gpus_to_share(const char* visible, int count);

}  // namespace course
