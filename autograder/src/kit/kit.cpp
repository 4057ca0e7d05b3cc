// SPDX-License-Identifier: MIT
#include "kit/kit.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "collect/collect.hpp"
#include "kit_config.hpp"

namespace fs = std::filesystem;

namespace course {

ExerciseFolder Kit::find(int number) const {
    std::vector<std::string> others;
    for (const ExerciseFolder& folder : exercise_folders(root)) {
        if (folder.number == number) return folder;
        others.push_back(fmt::format("{} {}", folder.number, folder.name));
    }
    if (others.empty()) throw UsageError(fmt::format("there are no exercises in {}", (root / "exercises").string()));
    throw UsageError(fmt::format("exercise {} is not in this edition; it has: {}", number, fmt::join(others, ", ")));
}

std::string Kit::command() const { return shown_path(toolchain.program_dir / "course", root); }

fs::path find_root(const std::string& named) {
    const auto is_root = [](const fs::path& path) {
        std::error_code error;
        return fs::is_directory(path / "exercises", error);
    };
    const auto checked = [&](const std::string& path, const char* source) {
        if (!is_root(path)) throw UsageError(fmt::format("{} {}: there is no folder exercises in it", source, path));
        return fs::canonical(path);
    };
    if (!named.empty()) return checked(named, "--root");
    const char* variable = std::getenv("COURSE_ROOT");
    if (variable && *variable) return checked(variable, "COURSE_ROOT");
    std::error_code error;
    for (fs::path path = fs::current_path(error); !error; path = path.parent_path()) {
        if (is_root(path)) return path;
        if (path == path.root_path()) break;
    }
    return checked(kit::source_dir, "the kit's folder");
}

}  // namespace course

namespace fs = std::filesystem;

namespace course {

namespace {

/// Our own environment; on the host backend without settings that change the output.
std::vector<std::string> lesson_environment(LessonDevice device) {
    std::vector<std::string> variables = own_environment();
    if (device == LessonDevice::chosen) return variables;
    std::erase_if(variables, [](const std::string& variable) {
        const bool where = variable.starts_with("LIBGPU_CACHE_") || variable.starts_with("LIBGPU_HOST_CXX=") ||
                           variable.starts_with("LIBGPU_HOST_ARCH=");
        return variable.starts_with("LIBGPU_") && !where;
    });
    variables.emplace_back("LIBGPU_DEVICE=host");
    return variables;
}

}  // namespace

fs::path lesson_programs(const Kit& kit, const std::string& programs) {
    return programs.empty() ? kit.toolchain.build_dir / "lessons" : fs::absolute(programs);
}

ProcessResult run_lesson_program(const fs::path& programs, const Lesson& lesson, const LessonProgram& program,
                                 LessonDevice device, const std::function<void(std::string_view)>& on_output) {
    const fs::path path = programs / lesson.folder.name() / program.name;
    if (!fs::is_regular_file(path))
        throw UsageError(fmt::format("{}: this program isn't built; try make lesson-{}, or ninja -C {} lesson-{:02}",
                                     path.string(), lesson.folder.number, programs.parent_path().string(),
                                     lesson.folder.number));
    Command command;
    command.arguments = {path.string()};
    command.environment = lesson_environment(device);
    command.folder = lesson.folder.path;
    command.seconds = lesson_program_seconds;
    command.cpu_seconds = lesson_program_seconds * 64;  // over all its threads
    command.file_bytes = 0;
    command.on_output = on_output;
    command.by_line = static_cast<bool>(on_output);
    return run_process(command);
}

std::string what_went_wrong(const ProcessResult& result) {
    using Ending = ProcessResult::Ending;
    switch (result.ending) {
        case Ending::signalled: return fmt::format("crashed (signal {})", result.code);
        case Ending::timed_out: return fmt::format("took longer than {:.0f} s and was stopped", lesson_program_seconds);
        case Ending::not_started: return fmt::format("can't be started: {}", std::strerror(result.code));
        case Ending::exited: break;
    }
    return result.code == 0 ? "" : fmt::format("ended with exit code {}", result.code);
}

}  // namespace course
