// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verdict/verdict.hpp"

namespace course {

/// The version of result.json that this kit writes; docs/result-format.md describes it.
inline constexpr int result_schema = 5;

/// The result as JSON text: valid UTF-8 whatever the student's code printed; ends with a newline.
std::string result_json(const Result& result);

/// Writes it atomically: a reader sees all of it or nothing. @throws FileError
void write_result_json(const Result& result, const std::filesystem::path& path);

/// One proof of an exercise: a short text for the table, what contradicts it, and notes for the author.
struct Proof {
    std::string text = "ok";
    std::vector<std::string> failures;
    std::vector<std::string> notes = {};
};

/// A line of JSON: {"exercise": NAME, "proofs": [{"text": ..., "failures": [...], "notes": [...]}, ...]}.
std::string proofs_json(const std::string& exercise, const std::vector<Proof>& proofs);

/// The proofs in such a line; nothing for any other text.
std::optional<std::vector<Proof>> parse_proofs_json(std::string_view line);

}  // namespace course
