// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace course {

/// The word that is meant, if one is so near that it is likely: a letter wrong, left out, doubled or swapped with its
/// neighbour, in longer words two. Empty if none is. Pure.
std::string near_word(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace course
