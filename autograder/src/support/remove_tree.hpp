// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace course {

/// Removes a file, or a folder with all that is in it: however deep, whatever rights its owner has taken from himself.
/// Links are removed, never followed. False if something is left.
bool remove_tree(const std::filesystem::path& path) noexcept;

}  // namespace course
