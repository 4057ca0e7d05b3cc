// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "build/compile.hpp"
#include "manifest/lesson.hpp"
#include "manifest/names.hpp"
#include "support/process.hpp"

namespace course {

/// The user asked for something that doesn't exist; exit code 4.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The course being worked on, and the tools that build it.
struct Kit {
    std::filesystem::path root;   ///< has exercises/, solutions/ and work/
    Toolchain toolchain;

    /// Exercise N of this edition. @throws UsageError with the list if there is none; ManifestError.
    [[nodiscard]] ExerciseFolder find(int number) const;
    [[nodiscard]] Manifest manifest(int number) const { return read_manifest(find(number).path); }

    [[nodiscard]] std::filesystem::path work(const std::filesystem::path& exercise) const {
        return root / "work" / exercise.filename();
    }
    [[nodiscard]] std::filesystem::path solution(const std::filesystem::path& exercise) const {
        return root / "solutions" / exercise.filename();
    }
    /// How to call `course` from the root, for command lines to paste.
    [[nodiscard]] std::string command() const;
    [[nodiscard]] bool has_solutions() const { return std::filesystem::is_directory(root / "solutions"); }
};

/// `named` if it isn't empty, otherwise COURSE_ROOT, otherwise the nearest folder upwards from here that has
/// exercises/, otherwise the kit's own. @throws UsageError
std::filesystem::path find_root(const std::string& named);

/// Where a lesson's programs run: on the device that libgpu chooses, or on the host backend without any of the user's
/// settings, as for their stored output.
enum class LessonDevice { chosen, host };

/// The time limit of a lesson's program, in seconds.
inline constexpr double lesson_program_seconds = 120;

/// `programs`, or the kit's own build folder.
std::filesystem::path lesson_programs(const Kit& kit, const std::string& programs);

/// Runs programs/06-raw-kernels/NAME. @throws UsageError if it isn't built.
/// @param on_output receives what it prints, line by line; nothing: all of it comes with the result
ProcessResult run_lesson_program(const std::filesystem::path& programs, const Lesson& lesson,
                                 const LessonProgram& program, LessonDevice device,
                                 const std::function<void(std::string_view)>& on_output = {});

/// "crashed (signal 11)"; empty for a program that succeeded.
std::string what_went_wrong(const ProcessResult& result);

}  // namespace course
