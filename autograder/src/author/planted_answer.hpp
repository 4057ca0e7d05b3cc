// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "manifest/manifest.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// Why a wrong or lazy answer wasn't caught as its manifest says, as the end of a sentence about it; empty if it was.
/// The same on every device: what a GPU leaves silent, check mode on the host finds.
/// @param screen what a student reads
std::string why_not_caught(const PlantedAnswer& answer, const Result& result, const std::string& screen);

/// The end of a sentence about a caught answer whose verdict doesn't show the misconception that the manifest tags it
/// with; empty if it does, or there is no tag.
std::string why_tag_not_shown(const PlantedAnswer& answer, const Result& result);

}  // namespace course
