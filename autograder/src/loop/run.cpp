// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include "collect/collect.hpp"
#include "loop/commands.hpp"
#include "loop/editor_files.hpp"
#include "loop/judge_answer.hpp"
#include "loop/output.hpp"
#include "loop/progress.hpp"
#include "loop/work_folder.hpp"
#include "report/result_json.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

void make_own_folder(const Kit& kit, const Manifest& manifest) {
    try {
        if (make_work_folder(kit, manifest))
            print_error(fmt::format("Made {} with the files to edit.\n",
                                    shown_path(kit.work(manifest.folder), kit.root)));
    } catch (const FileError& error) {
        throw UsageError(
            fmt::format("{}\nCopy the course to a folder where you may write, or judge files that lie "
                        "elsewhere: {} run {} --from FOLDER",
                        error.what(), kit.command(), manifest.number));
    }
}

/// Notes what came out of the student's own answer, and says what comes next.
void note_progress(const Kit& kit, const Manifest& manifest, JudgedAnswer& judged) {
    const Progress progress(kit.root / "work");
    const bool passed = exit_code(judged.result.verdict) == 0;
    try {
        if (passed) progress.update(manifest.name, [](ExerciseProgress& record) { record.passed = true; });
    } catch (const FileError& error) {
        judged.screen.notes.push_back(fmt::format("your progress could not be saved: {}", error.what()));
    }
    Progress::Records records = progress.read();
    judged.screen.hints_used = records[manifest.name].hints_used;
    for (const ExerciseFolder& folder : exercise_folders(kit.root))
        if (folder.name != manifest.name && !records[folder.name].passed &&
            (folder.number > manifest.number || judged.screen.next.empty())) {
            judged.screen.next = fmt::format("make exercise-{}", folder.number);
            if (folder.number > manifest.number) break;
        }
}

}  // namespace

int run_command(const Kit& kit, const RunOptions& options) {
    const Manifest manifest = kit.manifest(options.number);
    fs::path folder = kit.work(manifest.folder);
    if (!options.from.empty()) {
        folder = named_folder(kit, options.from);
    } else {
        make_own_folder(kit, manifest);
        refresh_editor_files(kit);
    }
    JudgedAnswer judged = judge_answer(kit, {.manifest = manifest, .folder = folder, .options = options});
    judged.screen.own_answer = options.from.empty();
    if (judged.screen.own_answer) note_progress(kit, manifest, judged);
    if (options.json) {
        print(result_json(judged.result));
    } else {
        judged.screen.counts = options.counts;
        judged.screen.timings = options.timings;
        judged.screen.style = Style::of_descriptor(STDOUT_FILENO);
        print(verdict_screen(judged.result, judged.screen));
    }
    return exit_code(judged.result.verdict);
}

}  // namespace course
