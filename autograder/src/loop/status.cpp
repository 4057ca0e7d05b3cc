// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "collect/collect.hpp"
#include "loop/commands.hpp"
#include "loop/editor_files.hpp"
#include "loop/output.hpp"
#include "loop/progress.hpp"
#include "loop/work_folder.hpp"
#include "report/style.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

std::string bar(std::size_t done, std::size_t all) {
    constexpr std::size_t width = 30;
    const std::size_t filled = all == 0 ? 0 : done * width / all;
    return "[" + std::string(filled, '#') + std::string(width - filled, '-') + "]";
}

std::string current_exercise(const Kit& kit, const Manifest& manifest, const ExerciseProgress& record) {
    std::string made;
    try {
        if (make_work_folder(kit, manifest)) made = "  (new)";
    } catch (const FileError& error) {
        made = fmt::format("\n         {}", error.what());
    }
    std::vector<std::string> files;
    for (const std::string& name : manifest.edit)
        files.push_back(shown_path(kit.work(manifest.folder) / name, kit.root));
    std::string text = fmt::format("  Now:   exercise {}, {}: {} (about {} minute{})\n", manifest.number, manifest.name,
                                   manifest.title, manifest.minutes, manifest.minutes == 1 ? "" : "s");
    text += fmt::format("  Goal:  {}\n", manifest.objective);
    text += fmt::format("  Read:  {}\n", shown_path(manifest.folder / "README.md", kit.root));
    text += fmt::format("  Edit:  {}{}\n", fmt::join(files, " "), made);
    text += fmt::format("  Check: make exercise-{}\n", manifest.number);
    return text + fmt::format("  Stuck: make hint-{} ({}/3 used)\n", manifest.number, record.hints_used);
}

}  // namespace

int status_command(const Kit& kit) {
    const std::vector<ExerciseFolder> folders = exercise_folders(kit.root);
    Progress::Records records = Progress(kit.root / "work").read();
    const auto passed = [&](const ExerciseFolder& folder) { return records[folder.name].passed; };
    const auto done = static_cast<std::size_t>(std::count_if(folders.begin(), folders.end(), passed));
    const Style style = Style::of_descriptor(STDOUT_FILENO);
    std::string text = fmt::format("{}  {} {} of {} exercises passed\n\n", style.bold("GPU course"),
                                   bar(done, folders.size()), done, folders.size());
    const auto next = std::find_if_not(folders.begin(), folders.end(), passed);
    if (next == folders.end()) {
        text += folders.empty() ? "  This edition has no exercises.\n"
                                : "  All exercises of this edition are passed. Well done!\n";
    } else {
        text += current_exercise(kit, read_manifest(next->path), records[next->name]);
    }
    refresh_editor_files(kit);
    print(text + "\nAlso: make list (all exercises), make doctor (what this machine has), make help (all commands)\n");
    return 0;
}

int list_command(const Kit& kit) {
    Progress::Records records = Progress(kit.root / "work").read();
    const Style style = Style::of_descriptor(STDOUT_FILENO);
    std::string text;
    int code = 0;
    for (const ExerciseFolder& folder : exercise_folders(kit.root)) {
        const bool passed = records[folder.name].passed;
        const bool begun = fs::is_directory(kit.work(folder.path));
        const std::string state = fmt::format("{:<7}", passed ? "passed" : begun ? "begun" : "");
        std::string title;
        int minutes = 0;
        try {
            const Manifest manifest = read_manifest(folder.path);
            title = manifest.title;
            minutes = manifest.minutes;
        } catch (const ManifestError& error) {
            title = error.what();
            code = 4;
        }
        text += fmt::format("{:>3}  {}  {:<16} {:>3} min  {}\n", folder.number, passed ? style.good(state) : state,
                            folder.name, minutes, title);
    }
    print(text);
    return code;
}

}  // namespace course
