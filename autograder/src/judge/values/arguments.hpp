// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <course/check_host.hpp>

#include "manifest/manifest.hpp"
#include "run/caller.hpp"

namespace course {

/// A check's arguments as the manifest wants them. Scalars are converted where that keeps the value.
/// @throws CheckError for another number of arguments, a vector where a number is taken, another element type, ...
std::vector<Value> to_values(const Function& function, std::vector<CheckValue> arguments);

/// A result as a check sees it.
CheckValue to_check_value(const Value& value);

/// What a case is called by default: "n = 257", "19 x 67", "n = 257 and 19 x 67"; without arrays "squares(257)".
std::string case_name(const Function& function, std::span<const Value> arguments);

/// True if one of them isn't a number.
bool has_arrays(std::span<const Value> values);

/// Elements of the largest array; 0 if there is none.
std::int64_t largest_size(std::span<const Value> values);

}  // namespace course
