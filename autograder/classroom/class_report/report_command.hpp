// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "classroom/grades/class_commands.hpp"

namespace course {

/// Writes index.html, students/ID.html, feedback/ID.md and, if the policy has one, leaderboard.html.
AddCommand add_report;

/// Names for a leaderboard: always the same for a student and a key, different ones for different students, and nobody
/// without the key can tell whose they are. Pure.
/// @param key 32 bytes
std::map<std::string, std::string> pseudonyms(const std::vector<std::string>& ids, const std::string& key);

/// The key of a class, in a file that only its owner can read; drawn at random the first time. @throws FileError
std::string pseudonym_key(const std::filesystem::path& file);

}  // namespace course
