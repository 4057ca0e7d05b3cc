// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include "answer/judge_answer.hpp"
#include "answer/write_images.hpp"
#include "collect/collect.hpp"
#include "commands/commands.hpp"
#include "kit/work_folder.hpp"
#include "progress/course_path.hpp"
#include "progress/progress.hpp"
#include "progress/submission.hpp"
#include "report/result_json.hpp"
#include "report/task_text.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/progress.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

void make_own_folder(const Kit& kit, const Manifest& manifest) {
    try {
        if (make_work_folder(kit, manifest))
            print_error(
                fmt::format("Made {} with the files to edit.\n", shown_path(kit.work(manifest.folder), kit.root)));
    } catch (const FileError& error) {
        throw UsageError(
            fmt::format("{}\nCopy the course to a folder where you may write, or judge files that lie "
                        "elsewhere: {} run {} --from FOLDER",
                        error.what(), kit.command(), manifest.number));
    }
}

/// The misconceptions that a verdict shows, each once.
std::set<int> tags_of(const Result& result) {
    std::set<int> tags;
    for (const TaskResult& task : result.tasks) tags.insert(task.tags.begin(), task.tags.end());
    return tags;
}

/// Records the cost of tasks that are right but over a budget: the next answer may cost less.
void note_costs(const Result& result, ExerciseProgress& record) {
    for (const TaskResult& task : result.tasks) {
        if (task.verdict != Verdict::over_budget && task.verdict != Verdict::too_slow) continue;
        if (const auto cost = cost_of(task)) record.before[task.id] = cost_word(*cost);
    }
}

/// The task with the largest gain over an earlier answer of the student's, in a sentence; empty while anything is
/// wrong.
std::string reward_of(const Result& result, const ExerciseProgress& record) {
    std::string text;
    double max_gain = 0;
    for (const TaskResult& task : result.tasks) {
        if (!is_passed(task) && task.verdict != Verdict::not_started) return "";
        const auto noted = record.before.find(task.id);
        const auto before = noted == record.before.end() ? std::nullopt : parse_cost(noted->second);
        const auto now = cost_of(task);
        if (!before || !now || !is_passed(task)) continue;
        const double gain = static_cast<double>(before->modelled_ns) /
                            static_cast<double>(std::max<std::uint64_t>(now->modelled_ns, 1));
        const std::string reward = reward_text(*before, *now);
        if (reward.empty() || !(gain > max_gain)) continue;
        max_gain = gain;
        text = (result.tasks.size() > 1 ? task.id + ": " : "") + reward;
    }
    return text;
}

/// Updates the progress with a verdict: answers that weren't begun, or that the machine failed on, aren't attempts.
void note_verdict(const JudgedAnswer& judged, ExerciseProgress& record) {
    const Result& result = judged.result;
    if (result.verdict == Verdict::not_started || result.verdict == Verdict::environment) return;
    ++record.attempts;
    record.points = std::max(record.points, result.points());
    for (const TaskResult& task : result.tasks)
        if (task.star && is_passed(task)) record.stars.insert(task.id);
    if (judged.answer != record.last_answer)  // repeating an answer repeats no mistake
        for (const int tag : tags_of(result)) {
            ++record.met[tag];
            record.met_on[tag] = date_of(today());
        }
    record.last_verdict = to_string(result.verdict);
    record.last_answer = judged.answer;
    note_costs(result, record);
    if (exit_code(result.verdict) != 0) return;
    record.passed = true;
    if (record.first_pass.empty()) record.first_pass = utc_time();
}

/// Moves the pictures that the check drew to where the student finds them.
void keep_images(const Kit& kit, const fs::path& folder, JudgedAnswer& judged) {
    const Verdict verdict = judged.result.verdict;
    if (verdict == Verdict::not_started || verdict == Verdict::does_not_compile || verdict == Verdict::environment)
        return;
    try {
        write_images(judged.result, folder, kit.root);
    } catch (const FileError& error) {
        judged.screen.notes.push_back(fmt::format("the pictures could not be written: {}", error.what()));
    }
}

/// Records the result of the student's own answer, and says what comes next.
void note_progress(const Kit& kit, const Manifest& manifest, JudgedAnswer& judged) {
    const Progress progress(kit.root / "work");
    const Verdict verdict = judged.result.verdict;
    try {
        if (verdict != Verdict::not_started && verdict != Verdict::environment)
            progress.update(manifest.name, [&](ExerciseProgress& record) { note_verdict(judged, record); });
    } catch (const FileError& error) {
        judged.screen.notes.push_back(fmt::format("your progress could not be saved: {}", error.what()));
    }
    Progress::Records records = progress.read();
    judged.screen.hints_used = records[manifest.name].hints_used;
    judged.screen.reward = reward_of(judged.result, records[manifest.name]);
    if (const auto next = next_exercise(kit, records, manifest.number))
        judged.screen.next = fmt::format("make exercise-{}{}", next->number,
                                         next->bonus ? " (a bonus: all that aren't one are passed)" : "");
}

constexpr double drawing_seconds = 1;

int run_command(const Kit& kit, const RunOptions& options) {
    const Manifest manifest = kit.manifest(options.number);
    fs::path folder = kit.work(manifest.folder);
    if (!options.from.empty()) {
        folder = named_folder(kit, options.from);
    } else {
        make_own_folder(kit, manifest);
        refresh_editor_files(kit);
    }
    AnswerToJudge answer{.manifest = manifest, .folder = folder, .options = options};
    TraceRenderer renderer({.task = manifest.picture_task,
                            .case_name = "",
                            .file = manifest.picture + ".txt",
                            .seconds = drawing_seconds,
                            .passed_only = true},
                           manifest);
    const bool own = options.from.empty(), draws = own && !options.json && !manifest.picture.empty();
    if (draws && ::isatty(STDOUT_FILENO) == 1) answer.after_tasks = std::ref(renderer);
    JudgedAnswer judged = judge_answer(kit, answer);
    judged.screen.own_answer = own;
    if (const std::string note = own ? saved_beside_work(kit, manifest) : ""; !note.empty())
        judged.screen.notes.push_back(note);
    judged.screen.keys_follow = options.watched;
    judged.screen.draws = draws;
    if (const Pictures& drawn = renderer.pictures; !drawn.text.empty())  // drawn by the student's process
        judged.screen.picture = fmt::format("what it does in {}, case {}:\n{}", drawn.task, drawn.case_name,
                                            indented(plain_text(drawn.text, 8192, 24), 2));
    if (own) note_progress(kit, manifest, judged);
    if (own || !options.pictures.empty())
        keep_images(kit, own ? folder / "pictures" : fs::path(options.pictures), judged);
    if (options.json) {
        print(result_json(judged.result));
    } else {
        judged.screen.counts = options.counts;
        judged.screen.timings = options.timings;
        judged.screen.style = Style::of_descriptor(STDOUT_FILENO);
        judged.screen.columns = text_columns(judged.screen.columns);
        print(verdict_screen(judged.result, judged.screen));
    }
    return exit_code(judged.result.verdict);
}

}  // namespace

void add_run(CommandLine& line) {
    auto [command, options] = line.add("run", "judge an answer", run_command);
    command.exercise_number(options.number);
    command.option("--from", &options.from, "a folder to judge instead of work/");
    command.option("--pictures", &options.pictures, "a folder for the pictures that the check draws",
                   {.needs = "--from"});
    command.option("--json", &options.json, "print result.json");
    command.option("-v,--counts", &options.counts, "show what each line of the kernels did");
    command.option("--timings", &options.timings,
                   "for those who work on the kit: where the seconds went; on the host backend speed is measured too");
    command.option("--replay", &options.replays,
                   "as in class grading: budgets are judged by the recorded work, done again without your host code");
    command.option("--watched", &options.watched, "");  // for `course watch`
    command.option("--device", &options.device, "host or cuda:0 (default: a usable GPU, else the host)");
    command.option("--seed", &options.seed, "of the inputs, to repeat a run");
    command.option("--time-limit", &options.call_seconds, "seconds for one call to the student's code",
                   {.is_positive = true});
}

}  // namespace course
