// SPDX-License-Identifier: MIT
#include "batch/grade.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <map>
#include <set>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "batch/class_intake.hpp"
#include "batch/class_result.hpp"
#include "batch/grade_display.hpp"
#include "batch/grade_record.hpp"
#include "batch/plan.hpp"
#include "batch/prove_hidden.hpp"
#include "batch/results_folder.hpp"
#include "batch/workers/gpus.hpp"
#include "batch/workers/local_executor.hpp"
#include "batch/workers/worker_count.hpp"
#include "build/exercise_build.hpp"
#include "build/scratch.hpp"
#include "build/student_build.hpp"
#include "kit/machine.hpp"
#include "kit/probe.hpp"
#include "report/output.hpp"
#include "support/files.hpp"
#include "support/stopwatch.hpp"
#include "support/utc_time.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::size_t worth_a_header = 10;  ///< answers: parsing libgpu once takes as long as it saves for five

class ClassGrading {
public:
    ClassGrading(const Kit& kit, const GradeOptions& options)
        : kit_(kit), options_(options), results_(fs::absolute(options.results)) {}

    int run() {
        for (const int number : options_.exercises) static_cast<void>(kit_.find(number));  // says what there is
        check_class_folders(options_.submissions, results_);
        look_at_hidden_cases();
        look_at_sandbox();
        if (options_.dry_run) return dry_run();
        const ResultsLock lock(results_);
        const BatchScratch scratch(results_);
        ::setenv("TMPDIR", scratch.path().c_str(), 1);  // also for what this program builds
        const ClassIntake intake = class_intake(kit_, options_, results_);
        show_problems(intake);
        plan(intake, results_);
        const AtSignal how_to_go_on([this] {
            print_error(fmt::format("\n{} of {} are graded, and kept; the same command goes on from there\n",
                                    graded_ + faults_, answers_text(plan_.jobs.size())));
        });
        GradeRecord record = start_record();
        write_record(record, results_);
        if (!plan_.jobs.empty()) grade(lock, scratch);
        record.finished = utc_time();
        record.graded = graded_;
        record.faults = faults_;
        write_record(record, results_);
        print_summary();
        return faults_ > 0 ? 5 : 0;
    }

private:
    /// Each folder of --private must be one of an exercise, and have a check.
    void look_at_hidden_cases() {
        if (options_.hidden.empty()) return;
        hidden_ = fs::absolute(options_.hidden);
        std::error_code error;
        if (!fs::is_directory(hidden_, error))
            throw UsageError(fmt::format("--private {}: there is no such folder", options_.hidden));
        std::set<std::string> known;
        for (const ExerciseFolder& folder : exercise_folders(kit_.root)) known.insert(folder.path.filename().string());
        for (const auto& entry : fs::directory_iterator(hidden_)) {
            if (!entry.is_directory()) continue;
            const std::string name = entry.path().filename().string();
            if (!known.contains(name))
                throw UsageError(
                    fmt::format("--private: {} is not an exercise of this edition", entry.path().string()));
            if (!fs::is_regular_file(entry.path() / "check.cpp"))
                throw UsageError(fmt::format("--private: {} has no check.cpp", entry.path().string()));
        }
    }

    void look_at_sandbox() {
        device_ = probe(kit_.toolchain, wanted_device());
        if (!device_.error.empty()) throw UsageError(device_.error);
        const bool on_gpu = device_.backend == "cuda";
        tiers_ = tiers_around_answer(kit_.toolchain.sandbox, on_gpu);
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

    [[nodiscard]] std::string wanted_device() const {
        if (!options_.device.empty()) return options_.device;
        const char* variable = std::getenv("LIBGPU_DEVICE");
        return variable ? variable : "";
    }

    void plan(const ClassIntake& intake, const fs::path& results) {
        std::vector<GradedExercise> exercises;
        const std::vector<ExerciseFolder> folders = exercise_folders(kit_.root);
        for (const ExerciseFolder& folder : folders) {
            GradedExercise one{folder.number, folder.path.filename().string(), exercise_digest(folder.path), ""};
            if (const fs::path hidden = hidden_ / one.folder; !hidden_.empty() && fs::is_directory(hidden))
                one.hidden_digest = exercise_digest(hidden);
            exercises.push_back(std::move(one));
        }
        plan_ = plan_grading(intake, exercises, {options_.exercises, options_.students, options_.regrade}, results);
        if (!plan_.unknown_students.empty())
            throw UsageError(fmt::format("--student {}: nobody of that name has handed in anything",
                                         fmt::join(plan_.unknown_students, ", ")));
        const auto has_answers = [](const ClassSubmission& one) { return !one.answers.empty(); };
        if (std::none_of(intake.submissions.begin(), intake.submissions.end(), has_answers))
            throw UsageError(
                fmt::format("{}: no answer to an exercise of this edition was found there", options_.submissions));
        for (const std::string& note : plan_.notes) print_error(note + "\n");
    }

    static void show_problems(const ClassIntake& intake) {
        for (const std::string& line : intake.problems) print_error(line + "\n");
        for (const ClassSubmission& one : intake.submissions)
            for (const std::string& line : one.problems) print_error(fmt::format("{}: {}\n", one.id, line));
    }

    int dry_run() {
        const ClassIntake intake = class_intake(kit_, options_, results_);
        show_problems(intake);
        plan(intake, results_);
        std::map<std::string, std::string> lines;
        for (const auto& [job, why] : plan_.jobs)
            lines[job.submission] += fmt::format("{}{} {}", lines[job.submission].empty() ? "" : ", ", job.number, why);
        for (const auto& [submission, line] : lines) print(fmt::format("{}  {}\n", submission, line));
        print(fmt::format("{} to grade, {} unchanged; nothing was written\n", answers_text(plan_.jobs.size()),
                          plan_.skipped));
        return 0;
    }

    static std::string answers_text(std::size_t count) {
        return fmt::format("{} answer{}", count, count == 1 ? "" : "s");
    }

    /// The check and the hidden check of each exercise that is graded, each once, a few at a time.
    std::map<int, fs::path> build_checks(const fs::path& scratch, int at_once) {
        auto header = std::async(std::launch::async, [&] {
            return plan_.jobs.size() < worth_a_header ? fs::path()
                                                      : precompile_for_students(kit_.toolchain, scratch / "header");
        });
        std::map<int, fs::path> hidden;
        for (const PlannedJob& one : plan_.jobs) hidden[one.job.number];
        std::vector<std::pair<int, std::future<fs::path>>> builds;
        const auto take = [&] {
            hidden[builds.front().first] = builds.front().second.get();
            builds.erase(builds.begin());
        };
        for (const auto& [number, object] : hidden) {
            if (static_cast<int>(builds.size()) >= at_once) take();
            builds.emplace_back(number, std::async(std::launch::async, [this, number = number, &scratch] {
                                    const Manifest manifest = kit_.manifest(number);
                                    static_cast<void>(build_exercise(kit_.toolchain, manifest, scratch));
                                    const std::string folder = manifest.folder.filename().string();
                                    if (hidden_.empty() || !fs::is_directory(hidden_ / folder)) return fs::path();
                                    return build_hidden_check(kit_.toolchain, manifest, hidden_ / folder / "check.cpp",
                                                              results_ / ".hidden-checks" / folder, scratch);
                                }));
        }
        while (!builds.empty()) take();
        header_ = header.get();
        for (PlannedJob& one : plan_.jobs) one.job.hidden_check = hidden[one.job.number];
        return hidden;
    }

    LocalOptions local_options(const ResultsLock& lock, const BatchScratch& scratch, int messages, int workers,
                               GradeDisplay* display) {
        LocalOptions local;
        SharedGpus shared{{}, wanted_device()};
        if (device_.backend == "cuda")
            shared = gpus_to_share(std::getenv("CUDA_VISIBLE_DEVICES"), device_.devices, wanted_device());
        local.gpus = shared.gpus;
        local.worker.arguments = {(kit_.toolchain.program_dir / "course-class").string(),
                                  "--root",
                                  kit_.root.string(),
                                  "grade-worker",
                                  "--results",
                                  results_.string(),
                                  "--device",
                                  shared.device,
                                  "--time-limit",
                                  fmt::format("{}", options_.call_seconds)};
        if (!hidden_.empty())
            local.worker.arguments.insert(local.worker.arguments.end(), {"--private", hidden_.string()});
        if (!header_.empty())
            local.worker.arguments.insert(local.worker.arguments.end(), {"--header", header_.string()});
        local.worker.environment = {"TMPDIR=" + scratch.path().string()};
        local.worker.messages = messages;
        local.worker.lock = lock.descriptor();
        local.workers = workers;
        local.job_seconds = options_.job_seconds;
        if (local.gpus.size() > 1)
            local.worker.arguments.insert(local.worker.arguments.end(),
                                          {"--all-gpus", fmt::format("{}", fmt::join(local.gpus, ","))});
        local.canary = [this, device = shared.device](const std::string& gpu) { return fault_of_gpu(gpu, device); };
        local.say = [display](const std::string& line) {
            display ? display->say(line + "\n") : print_error(line + "\n");
        };
        if (display) local.tick = [display] { display->tick(); };
        local.written = [this](const GradeJob& job) { return written_result(job); };
        local.record_fault = [this](const GradeJob& job, const std::string& why) { record_fault(job, why); };
        return local;
    }

    void grade(const ResultsLock& lock, const BatchScratch& scratch) {
        const OpenFile messages(::open((results_ / "grade.log").c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
        if (!messages) throw FileError("write", results_ / "grade.log", errno);
        const int workers = options_.workers > 0 ? options_.workers : workers_for_this_machine();
        print_error(fmt::format(
            "{} to grade, {} unchanged; {} at once, sandbox: {}\n", answers_text(plan_.jobs.size()), plan_.skipped,
            std::min<std::size_t>(plan_.jobs.size(), static_cast<std::size_t>(workers)), tiers_.text()));
        const std::map<int, fs::path> hidden = build_checks(scratch.path(), workers);
        prove_hidden_checks(kit_, results_, hidden, local_options(lock, scratch, messages.get(), workers, nullptr));
        GradeDisplay display(plan_, ::isatty(STDERR_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1);
        std::vector<GradeJob> jobs;
        for (const PlannedJob& one : plan_.jobs) jobs.push_back(one.job);
        LocalExecutor executor(local_options(lock, scratch, messages.get(), workers, &display));
        executor.run(jobs, [&](std::size_t job, const JobOutcome& outcome) {
            ++(outcome.fault.empty() ? graded_ : faults_);
            if (!outcome.fault.empty())
                display.say(fmt::format("{} {}: the grader's fault, not the student's: {}\n", jobs[job].submission,
                                        jobs[job].folder, outcome.fault));
            display.done(job, outcome);
        });
    }

    std::string fault_of_gpu(const std::string& gpu, const std::string& device) {
        const char* old = std::getenv("CUDA_VISIBLE_DEVICES");
        const std::string kept = old ? old : "";
        if (!gpu.empty()) ::setenv("CUDA_VISIBLE_DEVICES", gpu.c_str(), 1);
        const ProbeAnswer answer = probe(kit_.toolchain, device, "--canary");
        if (old)
            ::setenv("CUDA_VISIBLE_DEVICES", kept.c_str(), 1);
        else
            ::unsetenv("CUDA_VISIBLE_DEVICES");
        if (!answer.error.empty()) return answer.error;
        return answer.backend == "cuda" ? answer.canary : "it is gone: " + answer.why_no_gpu;
    }

    std::optional<JobOutcome> written_result(const GradeJob& job) const {
        const auto head = read_class_result_head(class_result_path(results_, job.submission, job.folder));
        if (!head || head->key != job.key || !head->grader_fault.empty() || head->graded <= job.graded) return {};
        const nlohmann::json result =
            nlohmann::json::parse(read_file(class_result_path(results_, job.submission, job.folder)), nullptr, false);
        if (!result.is_object() || !result.contains("result")) return {};
        JobOutcome outcome;
        outcome.status = result["result"].value("status", "graded");
        outcome.points = result["result"].value("points", 0);
        outcome.max_points = result["result"].value("max_points", 0);
        outcome.seconds = result.value("seconds", 0.0);
        return outcome;
    }

    void record_fault(const GradeJob& job, const std::string& why) const {
        const fs::path file = class_result_path(results_, job.submission, job.folder);
        const Result none = not_judged_result(kit_.manifest(job.number), why);
        put_result(results_, file, class_result_text(job, {.result = none, .grader_fault = why}));
    }

    GradeRecord start_record() const {
        GradeRecord record;
        record.kit_version = kit_version();
        record.machine = machine_text();
        record.device = device_.name;
        record.sandbox = tiers_.names();
        record.allow_unsandboxed = options_.allow_unsandboxed;
        record.submissions = options_.submissions;
        record.hidden = hidden_.string();
        record.exercises = options_.exercises;
        record.students = options_.students;
        record.regrade = options_.regrade;
        record.started = utc_time();
        record.skipped = plan_.skipped;
        record.planned = static_cast<int>(plan_.jobs.size());
        return record;
    }

    void print_summary() const {
        print(fmt::format("{} graded, {} unchanged, {} not graded by the grader's fault; {}; sandbox: {}\n",
                          graded_.load(), plan_.skipped, faults_.load(), waiting_time(seconds_since(start_)),
                          tiers_.text()));
        if (faults_ > 0) print("The same command tries these again.\n");
    }

    const Kit& kit_;
    const GradeOptions& options_;
    fs::path results_, hidden_, header_;
    ProbeAnswer device_;
    Tiers tiers_;
    GradePlan plan_;
    std::atomic<int> graded_ = 0, faults_ = 0;  // a signal's thread reads them
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

int grade_command(const Kit& kit, const GradeOptions& options) {
    try {
        return ClassGrading(kit, options).run();
    } catch (const BatchStopped& error) {
        print_error(fmt::format("course: {}\nWhat is graded so far is kept; the same command goes on from there.\n",
                                error.what()));
    } catch (const FileError& error) {
        print_error(fmt::format("course: {}\nWhat is graded so far is kept; the same command goes on from there.\n",
                                error.what()));
    }
    return 4;
}

}  // namespace course
