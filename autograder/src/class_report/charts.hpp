// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace course {

/// The script of the class's page: the parts of d3 that its charts need, and what draws them of the page's own tables.
/// Without d3 (Debian's node-d3-scale, node-d3-axis, node-d3-selection) it draws nothing: the tables then stand alone.
/// @param library where Debian has its packages for JavaScript
std::string charts_script(const std::filesystem::path& library = "/usr/share/nodejs");

}  // namespace course
