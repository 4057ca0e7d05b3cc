// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace course {

/// One proof of an exercise: a short text for the table, what speaks against it, and what its author may want to know.
struct Proof {
    std::string text = "ok";
    std::vector<std::string> failures;
    std::vector<std::string> notes = {};
};

/// A line of JSON: {"exercise": NAME, "proofs": [{"text": ..., "failures": [...], "notes": [...]}, ...]}.
std::string proofs_json(const std::string& exercise, const std::vector<Proof>& proofs);

/// The proofs of such a line; nothing for another text.
std::optional<std::vector<Proof>> parse_proofs_json(std::string_view line);

}  // namespace course
