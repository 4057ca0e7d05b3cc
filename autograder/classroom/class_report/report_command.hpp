// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "classroom/grades/class_commands.hpp"

namespace course {

/// Where `course report` writes its pages.
struct ReportOptions {
    ResultsOptions read;
    std::string out;  ///< a folder; empty: RESULTS/report
    bool anonymous = false, reveal = false;  ///< hide names from now on; show them again
};

/// Writes index.html, students/ID.html, feedback/ID.md and, if the policy has one, leaderboard.html.
int report_command(const Kit& kit, const ReportOptions& options);

/// Names for a leaderboard: constant for a student and a key, different for different students, and untraceable without
/// the key. Pure.
/// @param key 32 bytes
std::map<std::string, std::string> pseudonyms(const std::vector<std::string>& ids, const std::string& key);

/// The key of a class, in a file that only its owner can read; generated at random the first time. @throws FileError
std::string pseudonym_key(const std::filesystem::path& file);

}  // namespace course
