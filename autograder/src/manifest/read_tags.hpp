// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "manifest/manifest.hpp"
#include "manifest/toml_table.hpp"

namespace course {

/// tag = N: the number of a misconception; none if the key is missing. @throws ManifestError
std::optional<int> read_tag(const TomlTable& table);

/// tags = { "what a verdict says" = N, ... }. @throws ManifestError
std::vector<Sign> read_signs(const TomlTable& table);

}  // namespace course
