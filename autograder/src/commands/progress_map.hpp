// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kit/kit.hpp"
#include "report/terminal.hpp"

namespace course {

/// The map of the course: lessons and exercises in reading order with where the student stands, and the misconceptions
/// met and mended. In 80 columns. @throws ManifestError for a misnamed folder
std::string progress_map(const Kit& kit, const Style& style);

}  // namespace course
