// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "build/toolchain.hpp"
#include "manifest/folders.hpp"

namespace course {

/// The user asked for something that isn't there; exit code 4.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The course that is worked on, and what builds it.
struct Kit {
    std::filesystem::path root;   ///< has exercises/, solutions/ and work/
    Toolchain toolchain;

    /// Exercise N of this edition. @throws UsageError with the list, if there is none; ManifestError.
    [[nodiscard]] ExerciseFolder find(int number) const;
    [[nodiscard]] Manifest manifest(int number) const { return read_manifest(find(number).path); }

    [[nodiscard]] std::filesystem::path work(const std::filesystem::path& exercise) const {
        return root / "work" / exercise.filename();
    }
    [[nodiscard]] std::filesystem::path solution(const std::filesystem::path& exercise) const {
        return root / "solutions" / exercise.filename();
    }
    /// How to call `course` from the root: a line with it can be pasted.
    [[nodiscard]] std::string command() const;
    [[nodiscard]] bool has_solutions() const { return std::filesystem::is_directory(root / "solutions"); }
};

/// `named` if it isn't empty, else COURSE_ROOT, else the nearest folder upwards from here that has exercises/, else the
/// kit's own. @throws UsageError
std::filesystem::path find_root(const std::string& named);

}  // namespace course
