// SPDX-License-Identifier: MIT
#include "batch/try_solutions.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "batch/grade_key.hpp"
#include "batch/results/class_result.hpp"
#include "report/output.hpp"
#include "support/files.hpp"
#include "support/process.hpp"
#include "support/progress.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr const char* solution_name = ".solution";  // no student's: ids begin with a letter or a digit
// Answers: a solution takes as long as one of them, and on a GPU most of that isn't a compiler's.
constexpr int worth_a_try = 5, worth_a_try_on_gpu = 40;

/// What the proof depends on.
std::string proof_of(const fs::path& exercise, const fs::path& solution, const fs::path& check) {
    return exercise_digest(exercise) + exercise_digest(solution) + digest(read_file(check)) + grader_digest();
}

std::string refusal(const fs::path& file, const std::string& folder, const JobOutcome& outcome) {
    std::string tasks;
    const nlohmann::json result = nlohmann::json::parse(outcome.fault.empty() ? read_file(file) : "{}", nullptr, false);
    if (result.is_object() && result.contains("private") && result["private"].is_object())
        for (const nlohmann::json& task : result["private"]["tasks"])
            if (task["status"] != "passed")
                tasks +=
                    fmt::format("\n  task {}: {}, {} of {} cases passed", task["id"].get<std::string>(),
                                task["status"].get<std::string>(), task["passed"].get<int>(), task["total"].get<int>());
    return fmt::format(
        "--private: the course's own solution of {} doesn't pass: {}{}\nNobody is graded with such cases: "
        "correct {}/check.cpp. What went wrong is in grade.log.",
        folder, outcome.fault.empty() ? outcome.status : outcome.fault, tasks, folder);
}

}  // namespace

void try_solutions(const Kit& kit, std::span<const GradeJob> answers_to_grade, const std::map<int, fs::path>& checks,
                   const MachineGrading& machine, WorkerPlaces places) {
    const TemporaryPath folder(places.scratch / "solutions");
    places.results = folder.path();
    places.answers = folder.path() / "answers";
    places.unfinished = folder.path() / "unfinished";
    for (const fs::path& one : {places.answers, places.unfinished}) make_folders(one);
    fs::permissions(folder.path(), fs::perms::owner_all);
    std::vector<GradeJob> jobs;
    std::vector<std::string> proofs;
    for (const auto& [number, check] : checks) {
        const auto is_of_it = [number = number](const GradeJob& job) { return job.number == number; };
        const bool for_kernels =
            std::count_if(answers_to_grade.begin(), answers_to_grade.end(), is_of_it) >=
            (machine.device().backend == "cuda" ? worth_a_try_on_gpu : worth_a_try);
        if (check.empty() && !for_kernels) continue;
        const Manifest manifest = kit.manifest(number);
        const fs::path solution = kit.solution(manifest.folder);
        std::error_code error;
        if (!fs::is_directory(solution, error)) {
            if (!check.empty())
                print_error(fmt::format(
                    "the hidden cases of exercise {} aren't tried: this edition has no solution of it\n", number));
            continue;
        }
        std::string proof = check.empty() ? "" : proof_of(manifest.folder, solution, check);
        const fs::path kept = check.parent_path() / "proved";
        const bool is_proved = check.empty() || (fs::is_regular_file(kept, error) && read_file(kept) == proof);
        if (is_proved && !for_kernels) continue;
        GradeJob job{.submission = solution_name, .folder = manifest.folder.filename().string(), .number = number};
        if (!is_proved) job.hidden_check = check;
        proofs.push_back(std::move(proof));
        for (const std::string& name : manifest.edit) {
            make_folders(places.answers / solution_name / job.folder);
            write_file(places.answers / solution_name / job.folder / name, read_file(solution / name));
        }
        jobs.push_back(std::move(job));
    }
    if (jobs.empty()) return;
    const ProgressLine progress("trying the course's own solutions ...");
    LocalExecutor(machine.local_options(places)).run(jobs, [&](std::size_t k, const JobOutcome& outcome) {
        const GradeJob& job = jobs[k];
        if (job.hidden_check.empty()) return;   // for its kernels alone
        if (!outcome.passed)
            throw UsageError(
                refusal(class_result_path(places.results, job.submission, job.folder), job.folder, outcome));
        write_file_atomically(job.hidden_check.parent_path() / "proved", proofs[k]);
    });
}

}  // namespace course
