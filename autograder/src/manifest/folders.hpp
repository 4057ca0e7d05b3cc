// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "manifest/manifest.hpp"

namespace course {

/// An exercise as its folder's name tells it, before its manifest is read.
struct ExerciseFolder {
    std::filesystem::path path;
    int number = 0;
    std::string name;
};

/// exercises/08-raw-add is exercise 8, raw_add. @throws ManifestError for another kind of name.
ExerciseFolder name_exercise(const std::filesystem::path& path);

/// The exercises below root/exercises, by number: one broken manifest doesn't hide the others.
/// @throws ManifestError for a misnamed folder, and for a number or a name that is there twice.
std::vector<ExerciseFolder> exercise_folders(const std::filesystem::path& root);

/// The names that exercises had before, and what they are called now; of manifests that can't be read, none. A name
/// that an exercise of this edition has isn't a former one.
std::map<std::string, std::string> former_names(const std::filesystem::path& root);

}  // namespace course
