// SPDX-License-Identifier: MIT
#include "kit/exercise_template.hpp"

#include <string>

#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

std::string replace_all(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

/// Copies the template's folder. In file names and texts TOPIC becomes the exercise's name, FOLDER its folder's, and
/// NUMBER its number.
void copy_template(const fs::path& from, const fs::path& to, const ExerciseFolder& exercise) {
    const auto fill = [&](std::string text) {
        text = replace_all(std::move(text), "TOPIC", exercise.name);
        text = replace_all(std::move(text), "FOLDER", exercise.path.filename().string());
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

void make_from_template(const Kit& kit, const ExerciseFolder& exercise, const fs::path& solution) {
    const fs::path templates = kit.toolchain.source_dir / "autograder/template";
    copy_template(templates / "exercise", exercise.path, exercise);
    copy_template(templates / "solution", solution, exercise);
}

}  // namespace course
