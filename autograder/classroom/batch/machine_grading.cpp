// SPDX-License-Identifier: MIT
#include "classroom/batch/machine_grading.hpp"

#include <algorithm>
#include <cstdlib>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "answer/judge_answer.hpp"
#include "build/exercise_build.hpp"
#include "build/scratch.hpp"
#include "build/student_build.hpp"
#include "classroom/batch/grade_record.hpp"
#include "classroom/batch/results/results_folder.hpp"
#include "classroom/batch/workers/worker.hpp"
#include "classroom/batch/workers/worker_count.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/process.hpp"
#include "support/progress.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::size_t worth_a_header = 10;  ///< answers: parsing libgpu once costs as much as it saves for five

/// The job's outcome, if its result has been written since the job was planned.
std::optional<JobOutcome> written_result(const fs::path& results, const GradeJob& job) {
    const fs::path file = class_result_path(results, job.submission, job.folder);
    const auto head = read_class_result_head(file);
    if (!head || head->key != job.key || !head->grader_fault.empty() || head->graded <= job.graded) return {};
    const nlohmann::json result = nlohmann::json::parse(read_file(file), nullptr, false);
    if (!result.is_object() || !result.contains("result")) return {};
    JobOutcome outcome;
    outcome.status =
        result.value("not_taken", "").empty() ? result["result"].value("status", "graded") : "can't be taken";
    outcome.points = result["result"].value("points", 0);
    outcome.max_points = result["result"].value("max_points", 0);
    outcome.seconds = result.value("seconds", 0.0);
    return outcome;
}

/// Writes the result of a job that could not be graded by the grader's fault. @throws FileError
void record_fault(const Kit& kit, const WorkerPlaces& places, const GradeJob& job, const std::string& why) {
    const fs::path file = class_result_path(places.results, job.submission, job.folder);
    const Result none = not_judged_result(kit.manifest(job.number), why);
    put_result(places.unfinished, file, class_result_text(job, {.result = none, .grader_fault = why}));
}

}  // namespace

void MachineGrading::look_at_machine() {
    device_ = probe(kit_.toolchain, wanted_device());
    if (!device_.error.empty()) throw UsageError(device_.error);
    if (workers_ == 0) workers_ = workers_for_this_machine(shared_gpus().gpus.size());
    const bool on_gpu = device_.backend == "cuda";
    tiers_ = tiers_around_answer(kit_.toolchain.sandbox, on_gpu);
    if (tiers_.seccomp && tiers_.landlock == 0 && !tiers_.users)
        print_error("note: " + tiers_.missing().front() +
                    ": one answer can read others that lie where you can read them. Grade as root, or on Linux 5.13 or "
                    "newer, to keep them apart\n");
    if (tiers_.landlock > 0 || tiers_.seccomp || options_.allow_unsandboxed) return;
    const char* how = kit_.toolchain.sandbox == SandboxUse::off ? "COURSE_SANDBOX says off"
                      : on_gpu && kit_.toolchain.sandbox != SandboxUse::everywhere
                          ? "COURSE_SANDBOX says host, and they run on a GPU"
                          : "this kernel has neither Landlock nor seccomp";
    throw UsageError(
        fmt::format("answers would run outside the sandbox: {}.\nA class's answers could then read "
                    "one another, the hidden cases and the results, and change them. To grade all the "
                    "same: --allow-unsandboxed",
                    how));
}

std::string MachineGrading::wanted_device() const {
    if (!options_.device.empty()) return options_.device;
    const char* variable = std::getenv("LIBGPU_DEVICE");
    return variable ? variable : "";
}

std::map<int, fs::path> MachineGrading::build_checks(std::span<const GradeJob> jobs, const fs::path& scratch) {
    Toolchain toolchain = kit_.toolchain;
    toolchain.gpu_headers = gpu_headers_key(toolchain);
    auto header = std::async(std::launch::async, [&] {
        fs::path kept = StudentHeader(toolchain).keep();
        if (kept.empty() && jobs.size() >= worth_a_header)   // a build folder of another user
            kept = StudentHeader(toolchain, scratch / "header").keep();
        return kept;
    });
    std::map<int, fs::path> hidden;
    for (const GradeJob& one : jobs) hidden[one.number];
    const bool by_speed = std::any_of(hidden.begin(), hidden.end(),
                                      [&](const auto& one) { return asks_for_speed(kit_.manifest(one.first)); });
    std::map<std::string, std::future<ProbeAnswer>> measured;
    const SharedGpus shared = shared_gpus();
    for (const std::string& gpu : shared.gpus)
        measured[gpu] = std::async(std::launch::async, [this, &gpu, &shared, by_speed] {
            return probe(kit_.toolchain, shared.device, by_speed ? "--bandwidth" : "", gpu);
        });
    std::vector<std::pair<int, std::future<fs::path>>> builds;
    const auto take = [&] {
        hidden[builds.front().first] = builds.front().second.get();
        builds.erase(builds.begin());
    };
    for (const auto& [number, object] : hidden) {
        if (static_cast<int>(builds.size()) >= workers_) take();
        builds.emplace_back(
            number, std::async(std::launch::async, [this, number = number, &toolchain, &scratch] {
                const Manifest manifest = kit_.manifest(number);
                static_cast<void>(build_exercise(toolchain, manifest, scratch));
                const std::string folder = manifest.folder.filename().string();
                const fs::path cases = fs::path(options_.hidden) / folder;
                if (options_.hidden.empty() || !fs::is_directory(cases)) return fs::path();
                const fs::path objects = fs::absolute(options_.results) / ".hidden-checks";
                make_folders(objects);
                fs::permissions(objects, fs::perms::owner_all);  // whoever else may read the results
                return build_hidden_check(toolchain, manifest, fs::absolute(cases) / "check.cpp", objects / folder,
                                          scratch);
            }));
    }
    while (!builds.empty()) take();
    header_ = header.get();
    for (auto& [gpu, answer] : measured) gpus_[gpu] = answer.get();
    return hidden;
}

SharedGpus MachineGrading::shared_gpus() const {
    if (device_.backend != "cuda") return {{}, wanted_device()};
    return gpus_to_share(std::getenv("CUDA_VISIBLE_DEVICES"), device_.devices, wanted_device());
}

LocalOptions MachineGrading::local_options(const WorkerPlaces& places) const {
    LocalOptions local;
    const SharedGpus shared = shared_gpus();
    local.gpus = shared.gpus;
    WorkerOptions options{.results = places.results.string(),
                          .hidden = options_.hidden.empty() ? "" : fs::absolute(options_.hidden).string(),
                          .unseen = {fs::absolute(options_.results).string()},
                          .device = shared.device,
                          .header = header_.string(),
                          .kernels = (places.scratch / "kernels").string(),
                          .answers = places.answers.string(),
                          .unfinished = places.unfinished.string(),
                          .call_seconds = options_.call_seconds};
    for (const std::string& one : {options_.submissions, options_.roster})
        if (!one.empty()) options.unseen.push_back(fs::absolute(one).string());
    if (!gpus_.empty()) {
        nlohmann::json facts;
        for (const auto& [gpu, answer] : gpus_)
            if (answer.error.empty()) facts[gpu] = answer.text;
        options.gpus = (places.scratch / "gpus.json").string();
        write_file(options.gpus, facts.dump());
    }
    if (local.gpus.size() > 1) options.all_gpus = fmt::format("{}", fmt::join(local.gpus, ","));
    local.worker.arguments = {(kit_.toolchain.program_dir / "course-class").string(), "--root", kit_.root.string(),
                              "grade-worker", worker_settings(options)};
    local.worker.environment = {"TMPDIR=" + places.scratch.string()};
    local.worker.messages = places.messages;
    local.worker.lock = places.lock;
    local.workers = workers_;
    local.job_seconds = options_.job_seconds;
    local.canary = [this, device = shared.device](const std::string& gpu) { return fault_of_gpu(gpu, device); };
    local.say = [](const std::string& line) { print_error(line + "\n"); };
    local.written = [results = places.results](const GradeJob& job) { return written_result(results, job); };
    local.looks_first = !options_.shard.empty();
    local.record_fault = [this, places](const GradeJob& job, const std::string& why) {
        record_fault(kit_, places, job, why);
    };
    return local;
}

std::string MachineGrading::fault_of_gpu(const std::string& gpu, const std::string& device) const {
    const ProbeAnswer answer = probe(kit_.toolchain, device, "--canary", gpu);
    if (!answer.error.empty()) return answer.error;
    return answer.backend == "cuda" ? answer.canary : "it is gone: " + answer.why_no_gpu;
}

}  // namespace course

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr const char* solution_name = ".solution";  // not a student's: ids begin with a letter or a digit
// Answers: a solution takes as long as one of them, and on a GPU most of that isn't compilation.
constexpr int worth_a_try = 5, worth_a_try_on_gpu = 40;

/// The digest of everything that the proof depends on.
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
        if (job.hidden_check.empty()) return;   // it is only run for its kernels
        if (!outcome.passed)
            throw UsageError(
                refusal(class_result_path(places.results, job.submission, job.folder), job.folder, outcome));
        write_file_atomically(job.hidden_check.parent_path() / "proved", proofs[k]);
    });
}

}  // namespace course
