// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace course {

/// Who hands in.
struct Student {
    std::string name, id;
};

/// Why this can't be a name or an ID: empty if it can. `what` is "name" or "ID". Pure.
std::string why_not_a_name(const std::string& text, const std::string& what);

/// What was said before, from a file in work/; empty where nothing usable is.
Student read_student(const std::filesystem::path& file);
/// @throws FileError
void write_student(const std::filesystem::path& file, const Student& student);

}  // namespace course
