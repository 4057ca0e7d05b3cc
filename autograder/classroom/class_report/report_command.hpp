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

/// Names for a leaderboard: constant for a student and a key, different for different students, and untraceable without
/// the key. Pure.
/// @param key 32 bytes
std::map<std::string, std::string> pseudonyms(const std::vector<std::string>& ids, const std::string& key);

/// The key of a class, in a file that only its owner can read; generated at random the first time. @throws FileError
std::string pseudonym_key(const std::filesystem::path& file);

}  // namespace course
