// SPDX-License-Identifier: MIT
#include "batch/class_intake.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "support/digest.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::size_t most_of_a_file = std::size_t{1} << 20;

std::vector<fs::path> sorted_entries(const fs::path& folder) {
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

/// Copies the exercise's files, and only if they aren't there already: links and folders are left out.
std::string copy_answer(const fs::path& from, const fs::path& to) {
    std::string all;
    for (const fs::path& file : sorted_entries(from)) {
        if (fs::symlink_status(file).type() != fs::file_type::regular) continue;
        const std::string text = read_file(file, most_of_a_file);
        all += file.filename().string() + ' ' + digest(text) + '\n';
        std::error_code error;
        const fs::path copy = to / file.filename();
        if (fs::is_regular_file(copy, error) && read_file(copy, most_of_a_file) == text) continue;
        make_folders(to);
        write_file_atomically(copy, text);
    }
    return digest(all).substr(0, 16);
}

}  // namespace

ClassIntake class_intake(const Kit& kit, const fs::path& submissions, const fs::path& results, const std::string&) {
    ClassIntake intake;
    if (!fs::is_directory(submissions))
        throw UsageError(fmt::format("{} is no folder of submissions", submissions.string()));
    const std::vector<ExerciseFolder> exercises = exercise_folders(kit.root);
    for (const fs::path& folder : sorted_entries(submissions)) {
        if (fs::symlink_status(folder).type() != fs::file_type::directory) continue;
        ClassSubmission one;
        one.student = folder.filename().string();
        one.id = one.student + "-1";
        one.members = {one.student};
        one.source = folder.string();
        for (const ExerciseFolder& exercise : exercises) {
            const std::string name = exercise.path.filename().string();
            const fs::path from = folder / name;
            if (fs::symlink_status(from).type() != fs::file_type::directory) continue;
            one.answers.push_back({exercise.number, name, copy_answer(from, results / "submissions" / one.id / name)});
        }
        intake.submissions.push_back(std::move(one));
    }
    return intake;
}

}  // namespace course
