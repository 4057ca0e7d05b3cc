// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "build/compile.hpp"
#include "manifest/manifest.hpp"

namespace course {

/// Built once per exercise, and again only if its sources or the kit's headers change.
struct ExerciseObjects {
    std::filesystem::path bind;    ///< bind.o, linked into every student's object
    std::filesystem::path check;   ///< check.so, the grader's plug-in
    std::filesystem::path given;   ///< given.so, the exercise with the given code; empty: not needed
};

/// Brings all objects up to date in the build folder, or in `scratch` if that can't be written. Two runs at once are
/// safe: one builds, the other waits. @throws BuildFault, with the first error, if sources don't compile.
ExerciseObjects build_exercise(const Toolchain& toolchain, const Manifest& manifest,
                               const std::filesystem::path& scratch);

/// Brings the plug-in of a hidden check up to date: `source`, with the exercise's own headers, becomes folder/check.so.
/// @throws BuildFault as above, FileError.
std::filesystem::path build_hidden_check(const Toolchain& toolchain, const Manifest& manifest,
                                         const std::filesystem::path& source, const std::filesystem::path& folder,
                                         const std::filesystem::path& scratch);

}  // namespace course
