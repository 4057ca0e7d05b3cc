// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "build/compile.hpp"
#include "manifest/manifest.hpp"

namespace course {

/// What is built once for an exercise, and again only when its sources or the kit's headers change.
struct ExerciseObjects {
    std::filesystem::path bind;    ///< bind.o, linked into every student's object
    std::filesystem::path check;   ///< check.so, the grader's plug-in
    std::filesystem::path given;   ///< given.so, the exercise as it is given, with no student's code; empty: not needed
};

/// Brings all up to date in the build folder, or in `scratch` where that can't be written. Two runs at once are both
/// right: one builds, the other waits. @throws BuildFault, with the first error, for sources that don't compile.
ExerciseObjects build_exercise(const Toolchain& toolchain, const Manifest& manifest,
                               const std::filesystem::path& scratch);

/// Brings the plug-in of a check that lies elsewhere than its exercise up to date: `source`, with the exercise's own
/// headers, becomes folder/check.so. @throws BuildFault as above, FileError.
std::filesystem::path build_hidden_check(const Toolchain& toolchain, const Manifest& manifest,
                                         const std::filesystem::path& source, const std::filesystem::path& folder,
                                         const std::filesystem::path& scratch);

}  // namespace course
