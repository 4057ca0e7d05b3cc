// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/open_file.hpp"

namespace course {

/// Opens a folder of this user's own, whatever rights its owner has taken from himself: they are given back. A link is
/// none. If it can't be opened, errno says why.
OpenFile open_own_folder(int parent, const char* name);

/// The names in an open folder, without "." and "..".
std::vector<std::string> names_in(int folder);

/// Removes a file, or a folder with all that is in it: however deep, whatever rights its owner has taken from himself.
/// Links are removed, never followed. False if something is left.
bool remove_tree(const std::filesystem::path& path) noexcept;

}  // namespace course
