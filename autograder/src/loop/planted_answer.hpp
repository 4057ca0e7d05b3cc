// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "judge/verdict.hpp"
#include "manifest/manifest.hpp"

namespace course {

/// True if the answer's failed tasks have right values: check mode alone says what is wrong with them.
bool failed_in_check_mode_alone(const Result& result);

/// Why a wrong or lazy answer wasn't caught as its manifest says, as the end of a sentence about it; empty if it was.
/// @param screen what a student reads
std::string why_not_caught(const PlantedAnswer& answer, const Result& result, const std::string& screen);

}  // namespace course
