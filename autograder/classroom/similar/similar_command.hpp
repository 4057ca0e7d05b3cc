// SPDX-License-Identifier: MIT
#pragma once

#include "command_line.hpp"

namespace course {

/// Writes the page of similar answers. No verdict and no points follow from it.
AddCommand add_similar;

}  // namespace course
