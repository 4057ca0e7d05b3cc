// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "manifest/manifest.hpp"

namespace course {

/// A project without points: the student makes a given program fast, and a log keeps the steps.
struct Capstone {
    Manifest manifest;               ///< with one task; it has no number, hints or planted answers
    std::int64_t gpu_elements = 0;   ///< so many are timed on a GPU
    std::int64_t host_elements = 0;  ///< and so many on the host backend
    std::string element;             ///< what one is called: "pixel"
    double least_bytes = 0;          ///< that any version moves to and from global memory, for each of them
};

/// Reads folder/capstone.toml. @throws ManifestError.
Capstone read_capstone(const std::filesystem::path& folder);

}  // namespace course
