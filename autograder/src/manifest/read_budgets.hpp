// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "manifest/manifest.hpp"
#include "manifest/toml_table.hpp"

namespace course {

/// budgets = { COUNTER = BOUNDS, ... }, where BOUNDS is a LIMIT (a ceiling), { exactly = LIMIT } or { at_least = LIMIT,
/// at_most = LIMIT }, and a LIMIT is a number or { plus, each, per, of }. @throws ManifestError
std::vector<Budget> read_budgets(const TomlTable& table, const Manifest& manifest);

/// parallelism = ["global_accesses", ...]: adds a budget for each. @throws ManifestError
void read_parallelism(const TomlTable& table, std::optional<int> tag, std::vector<Budget>& budgets);

/// [[task.kernel]]: a name, a file of the student's, and bounds as above. Without `launches` it must run at least once.
/// @throws ManifestError
RequiredKernel read_required_kernel(const TomlTable& table, const Manifest& manifest);

/// tag = N: the number of a misconception; none if the key is missing. @throws ManifestError
std::optional<int> read_tag(const TomlTable& table);

/// tags = { "what a verdict says" = N, ... }. @throws ManifestError
std::vector<Sign> read_signs(const TomlTable& table);

}  // namespace course
