// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "kit/kit.hpp"
#include "manifest/lesson.hpp"
#include "support/process.hpp"

namespace course {

/// Where a lesson's programs run: on the device that libgpu chooses, or on the host backend with nothing of the user's
/// settings, as their kept output was made.
enum class LessonDevice { chosen, host };

/// The seconds that a lesson's program may take.
inline constexpr double lesson_program_seconds = 120;

/// `programs`, or the folder of the kit's own build.
std::filesystem::path lesson_programs(const Kit& kit, const std::string& programs);

/// Runs programs/06-raw-kernels/NAME. @throws UsageError if it isn't built.
/// @param on_output gets what it prints, line by line; nothing: all of it comes with the result
ProcessResult run_lesson_program(const std::filesystem::path& programs, const Lesson& lesson,
                                 const LessonProgram& program, LessonDevice device,
                                 const std::function<void(std::string_view)>& on_output = {});

/// "crashed (signal 11)"; empty for a program that ended well.
std::string what_went_wrong(const ProcessResult& result);

}  // namespace course
