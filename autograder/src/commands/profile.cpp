// SPDX-License-Identifier: MIT
// course profile: what an answer's kernels were counted to do, beside what a profiler measured on a GPU.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "answer/case_to_look_at.hpp"
#include "answer/judge_answer.hpp"
#include "commands/commands.hpp"
#include "kit/work_folder.hpp"
#include "report/profile_text.hpp"
#include "report/terminal.hpp"
#include "run/session_pair.hpp"
#include "support/files.hpp"
#include "support/process.hpp"
#include "support/progress.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// What `course profile` shows.
struct ProfileOptions : CallOptions {
    std::string import_file;  ///< a CSV or a .ncu-rep of another machine; empty: measure here
    bool json = false;        ///< in place of the table: what recorded() reads
};

constexpr double profiler_seconds = 300;

/// The case to measure: that of the speed line, which is large; else the one that check mode counted.
class CallToMeasure {
public:
    CallToMeasure(const ProfileOptions& options, fs::path file) : options_(options), file_(std::move(file)) {}

    void before_timing(const Task& timed, const std::string& name, const Function& function,
                       std::span<const Value> arguments) {
        if (!options_.case_name.empty() || (!options_.task.empty() && options_.task != timed.id)) return;
        if (!timed_task_.empty() && options_.task.empty() && timed_task_ != timed.id) return;  // the first one
        timed_task_ = timed.id;
        timed_case_ = name;
        write_file_atomically(file_, recorded_call(function.name, arguments, 0));
    }

    void after_tasks(std::span<const JudgedTask> tasks) {
        const WantedCase wanted{.task = timed_task_.empty() ? options_.task : timed_task_,
                                .case_name = options_.case_name};
        const auto [chosen, one] = case_to_look_at(tasks, wanted);
        if (chosen == nullptr) return;
        task = chosen->task.id;
        check = chosen->result.check;
        case_name = timed_case_;
        if (!case_name.empty()) return;
        const auto counted = std::find_if(chosen->kept.begin(), chosen->kept.end(), [&](const ReplayableCase& kept) {
            return options_.case_name.empty() && check && chosen->result.cases[kept.index].name == check->work_case;
        });
        const ReplayableCase* const measured = counted == chosen->kept.end() ? one : &*counted;
        if (measured == nullptr) return;
        case_name = chosen->result.cases[measured->index].name;
        write_file_atomically(file_, recorded_call(measured->function->name, measured->arguments, 0));
    }

    std::string task, case_name;       ///< empty: there is none
    std::optional<CheckResult> check;  ///< of the task; none: check mode didn't run

private:
    const ProfileOptions& options_;
    fs::path file_;
    std::string timed_task_, timed_case_;
};

std::string profiler_program() {
    const char* const named = std::getenv("COURSE_NCU");
    return named != nullptr && *named != '\0' ? named : "ncu";
}

ProcessResult run_profiler(std::vector<std::string> arguments, const fs::path& folder,
                           const std::vector<std::string>& environment_changes = {}) {
    arguments.insert(arguments.begin(), profiler_program());
    Command command;
    command.arguments = std::move(arguments);
    command.environment = own_environment(environment_changes);
    command.folder = folder;
    command.seconds = profiler_seconds;
    command.file_bytes = 0;
    command.output_bytes = std::size_t{1} << 22;
    return run_process(command);
}

/// Why the profiler printed no table, and what to do.
std::string refusal(const ProcessResult& result) {
    if (result.ending == ProcessResult::Ending::not_started)
        return "Nsight Compute (ncu) isn't here; it is part of the CUDA toolkit";
    if (result.ending == ProcessResult::Ending::timed_out)
        return fmt::format("it took more than {:.0f} seconds; choose a smaller case: CASE=n=33", profiler_seconds);
    if (result.output.find("ERR_NVGPUCTRPERM") != std::string::npos)
        return "this user may not read the GPU's counters. Whoever runs the machine can allow it: "
               "developer.nvidia.com/ERR_NVGPUCTRPERM";
    const std::size_t error = result.output.find("==ERROR==");
    return error == std::string::npos
               ? fmt::format("Nsight Compute ended with {}", result.code)
               : "Nsight Compute says: " +
                     result.output.substr(error + 10, result.output.find('\n', error) - error - 10);
}

/// The profiles that come with the exercise, for a machine without a GPU.
std::vector<Profile> recorded(const Manifest& manifest) {
    const fs::path file = manifest.folder / "profile.json";
    return fs::exists(file) ? recorded_profiles(read_file(file)) : std::vector<Profile>{};
}

std::string imported_csv(const std::string& name, const fs::path& folder) {
    const fs::path file = fs::absolute(name);
    if (!fs::exists(file)) throw UsageError(fmt::format("--import {}: there is no such file", name));
    if (file.extension() != ".ncu-rep") return read_file(file);
    const ProcessResult result =
        run_profiler({"--import", file.string(), "--csv", "--page", "raw", "--print-units", "base"}, folder);
    if (!result.succeeded()) throw ProfileError(refusal(result));
    return result.output;
}

int print_profiles(const std::vector<Profile>& profiles, bool as_json) {
    if (as_json) {
        print(profiles_json(profiles));
        return 0;
    }
    std::string text;
    for (const Profile& profile : profiles) text += (text.empty() ? "" : "\n") + profile_text(profile);
    print(text);
    return 0;
}

int profile_command(const Kit& kit, const ProfileOptions& options) {
    const Manifest manifest = kit.manifest(options.number);
    const fs::path answer_at = answer_folder(kit, manifest, options.from);
    check_task(manifest, options.task);
    const fs::path folder = kit.toolchain.build_dir / "profile" / manifest.folder.filename();
    std::error_code error;
    fs::remove_all(folder, error);
    make_folders(folder / "run");

    const ProbeAnswer device = options.import_file.empty() ? look_at_device(kit, manifest, {}) : ProbeAnswer{};
    const bool on_gpu = device.backend == "cuda";
    CallToMeasure call(options, folder / "call");
    RunOptions run;
    run.number = manifest.number;
    run.device = on_gpu ? device.device : "host";
    run.seed = options.seed;
    const auto before_timing = [&](const Task& task, const std::string& name, const Function& function,
                                   std::span<const Value> arguments) {
        call.before_timing(task, name, function, arguments);
    };
    const JudgedAnswer judged = judge_answer(kit, {.manifest = manifest,
                                                   .folder = answer_at,
                                                   .options = run,
                                                   .build_in = folder,
                                                   .judge_stub = false,
                                                   .after_tasks = [&](std::span<const JudgedTask> tasks, Caller&,
                                                                      const fs::path&) { call.after_tasks(tasks); },
                                                   .before_timing = before_timing});
    if (call.task.empty()) {
        print(verdict_screen(judged.result, judged.screen));
        print_error("course: there is no kernel to profile yet\n");
        return std::max(exit_code(judged.result.verdict), 1);
    }
    std::vector<Profile> profiles;
    std::string why_not_measured;
    MeasuredProfile measured;
    try {
        if (!options.import_file.empty()) {
            measured = measured_profile(imported_csv(options.import_file, folder));
        } else if (on_gpu && !call.case_name.empty()) {
            const ProgressLine progress("measuring with Nsight Compute ...");
            const ProcessResult result =
                run_profiler({"--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "--metrics",
                              profiler_metrics(), (kit.toolchain.program_dir / "course-runner").string(), "--call",
                              "call", "student/student.so"},
                             folder,
                             {"LIBGPU_CACHE_DIR=" + (folder / "kernels").string(),
                              "TMPDIR=" + (folder / "run").string(), "LIBGPU_DEVICE=" + device.device});
            write_file(folder / "ncu.csv", result.output);
            if (!result.succeeded()) throw ProfileError(refusal(result));
            measured = measured_profile(result.output);
        }
    } catch (const ProfileError& problem) {
        if (!options.import_file.empty())
            throw UsageError(fmt::format("--import {}: {}", options.import_file, problem.what()));
        why_not_measured = problem.what();
    }
    Profile mine = joined_profile(call.check.value_or(CheckResult{}), measured);
    mine.answer = options.from.empty() ? "your answer" : fs::path(options.from).filename().string();
    mine.task = call.task;
    mine.measured_case =
        options.import_file.empty() ? call.case_name : fs::path(options.import_file).filename().string();
    const bool is_measured = !measured.kernels.empty();
    profiles.push_back(std::move(mine));
    if (!is_measured && !options.json) {
        print_profiles(profiles, false);
        const std::vector<Profile> others = recorded(manifest);
        print(fmt::format("\nNothing was measured: {}.\n{}",
                          why_not_measured.empty() ? "there is no GPU here" : why_not_measured,
                          others.empty() ? "This exercise has no recorded profiles.\n"
                                         : fmt::format("For comparison, recorded on {}:\n\n", others.front().device)));
        return print_profiles(others, false);
    }
    return print_profiles(profiles, options.json);
}

}  // namespace

void add_profile(CommandLine& line) {
    auto [command, options] =
        line.add("profile", "what your kernels were counted to do, and what a profiler measured", profile_command);
    options.add_choice(command);
    options.add_source(command, "a folder to profile instead of work/");
    command.option("--import", &options.import_file, "a CSV or .ncu-rep of Nsight Compute from another machine");
    command.option("--json", &options.json, "as JSON: what an exercise's profile.json is made of");
}

}  // namespace course
