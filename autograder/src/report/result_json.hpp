// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "verdict/verdict.hpp"

namespace course {

/// The version of result.json that this kit writes; docs/result-format.md describes it.
inline constexpr int result_schema = 5;

/// The result as JSON text: valid UTF-8 whatever the student's code printed; ends with a newline.
std::string result_json(const Result& result);

/// Writes it so that a reader sees all of it or nothing. @throws FileError
void write_result_json(const Result& result, const std::filesystem::path& path);

}  // namespace course
