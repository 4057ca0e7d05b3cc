// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "collect/collect.hpp"
#include "loop/commands.hpp"
#include "loop/output.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

std::string replace_all(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

/// Copies the template's folder; `name` stands for TOPIC in file names and texts, the number for NUMBER.
void copy_template(const fs::path& from, const fs::path& to, const ExerciseFolder& exercise) {
    const auto fill = [&](std::string text) {
        text = replace_all(std::move(text), "TOPIC", exercise.name);
        return replace_all(std::move(text), "NUMBER", std::to_string(exercise.number));
    };
    make_folders(to);
    for (const auto& entry : fs::recursive_directory_iterator(from)) {
        const fs::path target = to / fill(entry.path().lexically_relative(from).string());
        if (entry.is_directory())
            make_folders(target);
        else
            write_file(target, fill(read_file(entry.path())));
    }
}

}  // namespace

int dev_new_command(const Kit& kit, const std::string& folder_name) {
    const ExerciseFolder exercise = name_exercise(kit.root / "exercises" / folder_name);
    for (const ExerciseFolder& other : exercise_folders(kit.root))
        if (other.number == exercise.number || other.name == exercise.name)
            throw UsageError(fmt::format("{} already exists; number and name belong to one exercise only",
                                         shown_path(other.path, kit.root)));
    const fs::path solution = kit.solution(exercise.path);
    if (fs::exists(solution)) throw UsageError(fmt::format("{} is there already", shown_path(solution, kit.root)));
    const fs::path templates = kit.toolchain.source_dir / "autograder/template";
    copy_template(templates / "exercise", exercise.path, exercise);
    copy_template(templates / "solution", solution, exercise);
    print(fmt::format(
        "Made {} and {}.\nThey are a whole exercise already: {} dev check {}\n"
        "Then make it yours, from exercise.toml on; docs/exercise-format.md describes each file.\n",
        shown_path(exercise.path, kit.root), shown_path(solution, kit.root), kit.command(), exercise.number));
    return 0;
}

}  // namespace course
