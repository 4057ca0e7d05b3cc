// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "manifest/manifest.hpp"

namespace course {

/// Something that learners believe and that isn't so; wrong choices of questions carry its number as their tag.
struct Misconception {
    int number = 0;
    std::string name, sentence;
};

/// Reads root/lessons/misconceptions.toml: numbered from 1, in order. @throws ManifestError.
std::vector<Misconception> read_misconceptions(const std::filesystem::path& root);

}  // namespace course
