// SPDX-License-Identifier: MIT
#include "classroom/batch/grade.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <optional>
#include <set>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "classroom/batch/grade_display.hpp"
#include "classroom/batch/grade_record.hpp"
#include "classroom/batch/machine_grading.hpp"
#include "classroom/batch/plan.hpp"
#include "classroom/batch/results/results_folder.hpp"
#include "classroom/batch/workers/local_executor.hpp"
#include "classroom/submissions/anonymity.hpp"
#include "kit/probe.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/progress.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

class ClassGrading {
public:
    ClassGrading(const Kit& kit, const GradeOptions& options)
        : kit_(kit),
          options_(options),
          results_(fs::absolute(options.results)),
          hidden_(options.hidden.empty() ? fs::path() : fs::absolute(options.hidden)),
          students_(options.students),
          shard_(options.shard.empty() ? std::nullopt : std::optional(parse_shard(options.shard))),
          machine_(kit_, options) {}

    int run() {
        // throws for an unknown exercise
        for (const int number : options_.exercises) static_cast<void>(kit_.find(number));
        check_class_folders(options_.submissions, results_);
        std::error_code error;
        if (!options_.roster.empty() && !fs::is_regular_file(options_.roster, error))
            throw UsageError(fmt::format("--roster {}: there is no such file", options_.roster));
        ask_for_hidden_cases();
        look_at_hidden_cases();
        machine_.look_at_machine();
        if (options_.dry_run) return dry_run();
        const ResultsLock lock(results_, shard_ ? ResultsLock::Holder::shard : ResultsLock::Holder::batch);
        const BatchScratch scratch(results_, shard_ ? "-" + shard_->name() : "");
        kit_.toolchain.variables = {"TMPDIR=" + scratch.path().string()};
        const UnfinishedResults unfinished(results_);
        const fs::path taken = shard_ ? own_intake_folder(scratch) : results_;
        const ClassIntake intake = class_intake(kit_, options_, {results_, taken, unfinished.path()}, students_);
        anonymity_ = anonymity(results_, intake, wanted_names(), !shard_);
        if (!shard_) show_problems(intake);
        plan(intake);
        const SignalCleanup how_to_go_on([this] {
            print_error(fmt::format("\n{} of {} are graded, and kept; the same command goes on from there\n",
                                    graded_ + faults_, plural(plan_.jobs.size(), "answer")));
        });
        GradeRecord record = start_record();
        has_begun_ = true;
        write_record(record, results_, unfinished.path());
        if (!plan_.jobs.empty())
            grade({.answers = taken / "submissions",
                   .results = results_,
                   .unfinished = unfinished.path(),
                   .scratch = scratch.path(),
                   .lock = lock.descriptor()});
        record.finished = utc_time();
        record.graded = graded_;
        record.faults = faults_;
        write_record(record, results_, unfinished.path());
        print_summary();
        return faults_ > 0 ? 5 : 0;
    }

    [[nodiscard]] bool has_begun() const { return has_begun_; }

private:
    /// Throws if results that hidden cases count in would lose them because an option was left out.
    void ask_for_hidden_cases() const {
        if (!options_.hidden.empty() || options_.no_hidden) return;
        if (const std::string last = hidden_cases_of_record(results_); !last.empty())
            throw UsageError(
                fmt::format("these results were graded with the hidden cases of {0}: give --private {0} "
                            "again, or --no-private to grade without hidden cases from now on",
                            last));
    }

    /// Throws unless each folder of --private belongs to an exercise, and has a check.
    void look_at_hidden_cases() {
        if (options_.hidden.empty()) return;
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

    /// Each shard extracts the submissions itself, so that shards needn't wait for each other: it takes seconds.
    static fs::path own_intake_folder(const BatchScratch& scratch) {
        const fs::path folder = scratch.path() / "class";
        make_folders(folder);
        fs::permissions(folder, fs::perms::owner_all);
        return folder;
    }

    void plan(const ClassIntake& intake) {
        std::vector<GradedExercise> exercises;
        const std::vector<ExerciseFolder> folders = exercise_folders(kit_.root);
        for (const ExerciseFolder& folder : folders) {
            GradedExercise one{folder.number, folder.path.filename().string(), exercise_digest(folder.path), ""};
            if (const fs::path hidden = hidden_ / one.folder; !hidden_.empty() && fs::is_directory(hidden))
                one.hidden_digest = exercise_digest(hidden);
            exercises.push_back(std::move(one));
        }
        plan_ = plan_grading(
            intake, exercises,
            {options_.exercises, students_, options_.regrade, shard_.value_or(Shard())}, results_);
        const auto has_answers = [](const ClassSubmission& one) { return !one.answers.empty(); };
        if (std::none_of(intake.submissions.begin(), intake.submissions.end(), has_answers))
            throw UsageError(
                fmt::format("{}: no answer to an exercise of this edition was found there", options_.submissions));
        for (WarningOn& one : plan_.notes) one.who = name(one.who);
        for (const std::string& line : warning_lines(plan_.notes)) print_error(line + "\n");
    }

    [[nodiscard]] Names wanted_names() const {
        return options_.anonymous ? Names::hidden : options_.reveal ? Names::shown : Names::as_before;
    }

    /// A submission's id as it may be shown; the same for a line that may name people.
    [[nodiscard]] std::string name(const std::string& id) const {
        return anonymity_ ? anonymity_->of_submission(id) : id;
    }
    [[nodiscard]] std::string shown(const std::string& line) const { return anonymity_ ? anonymity_->in(line) : line; }

    void show_problems(const ClassIntake& intake) const {
        for (const std::string& line : intake.problems) print_error(shown(line) + "\n");
        std::vector<WarningOn> problems;
        for (const ClassSubmission& one : intake.submissions)
            for (const std::string& line : one.problems) problems.push_back({name(one.id), shown(line)});
        for (const std::string& line : warning_lines(problems)) print_error(line + "\n");
    }

    int dry_run() {
        const ClassIntake intake = class_intake(kit_, options_, {results_, results_}, students_);
        anonymity_ = anonymity(results_, intake, wanted_names(), false);
        show_problems(intake);
        plan(intake);
        std::map<std::string, std::string> lines;
        for (const auto& [job, why] : plan_.jobs)
            lines[job.submission] += fmt::format("{}{} {}", lines[job.submission].empty() ? "" : ", ", job.number, why);
        for (const auto& [submission, line] : lines) print(fmt::format("{}  {}\n", name(submission), line));
        print(fmt::format("{} to grade, {} unchanged; nothing was written\n", plural(plan_.jobs.size(), "answer"),
                          plan_.skipped));
        return 0;
    }

    void grade(WorkerPlaces places) {
        const fs::path log = results_ / (shard_ ? fmt::format("grade-{}.log", shard_->name()) : "grade.log");
        const UniqueFd messages(
            ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
        if (!messages) throw FileError("write", log, errno);
        places.messages = messages.get();
        std::vector<GradeJob> jobs = this->jobs();
        GradeDisplay display(plan_, ::isatty(STDERR_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1,
                             [this](const std::string& id) { return name(id); });
        print_error(fmt::format("{}{} to grade, {} unchanged; {} at once, sandbox: {}\n", share_text(),
                                plural(jobs.size(), "answer"), plan_.skipped,
                                std::min<std::size_t>(jobs.size(), static_cast<std::size_t>(machine_.workers())),
                                machine_.tiers().text()));
        const std::map<int, fs::path> hidden = machine_.build_checks(jobs, places.scratch);
        for (GradeJob& job : jobs) job.hidden_check = hidden.at(job.number);
        try_solutions(kit_, jobs, hidden, machine_, places);
        LocalOptions local = machine_.local_options(places);
        local.say = [&display](const std::string& line) { display.say(line + "\n"); };
        local.tick = [&display] { display.tick(); };
        std::set<std::string> said;
        std::vector<WarningOn> repeated;  // a machine's fault repeats for all answers: it is printed once, then counted
        LocalExecutor(std::move(local)).run(jobs, [&](std::size_t job, const JobOutcome& outcome) {
            ++(outcome.fault.empty() ? graded_ : faults_);
            if (!outcome.fault.empty()) {
                const WarningOn fault{name(jobs[job].submission) + " " + jobs[job].folder,
                                      "the grader's fault, not the student's: " + outcome.fault};
                if (said.insert(outcome.fault).second)
                    display.say(warning_lines({fault}).front() + "\n");
                else
                    repeated.push_back(fault);
            }
            display.done(job, outcome);
        });
        for (const std::string& line : warning_lines(repeated)) display.say(line + "\n");
    }

    /// "share 2 of 8: ", before a line.
    [[nodiscard]] std::string share_text() const {
        return shard_ ? fmt::format("share {} of {}: ", shard_->number, shard_->of) : "";
    }

    [[nodiscard]] std::vector<GradeJob> jobs() const {
        std::vector<GradeJob> all;
        for (const PlannedJob& one : plan_.jobs) all.push_back(one.job);
        return all;
    }

    GradeRecord start_record() const {
        GradeRecord record;
        record.kit_version = kit_version();
        record.machine = machine_text();
        record.device = machine_.device().name;
        record.sandbox = machine_.tiers().names();
        record.allow_unsandboxed = options_.allow_unsandboxed;
        record.submissions = options_.submissions;
        record.hidden = hidden_.string();
        record.exercises = options_.exercises;
        record.students = students_;
        record.shard = options_.shard;
        record.regrade = options_.regrade;
        record.started = utc_time();
        record.skipped = plan_.skipped;
        record.planned = static_cast<int>(plan_.jobs.size());
        return record;
    }

    void print_summary() const {
        print(fmt::format("{}{} graded, {} unchanged, {} failed because of the grader; {}; sandbox: {}\n", share_text(),
                          graded_.load(), plan_.skipped, faults_.load(), waiting_time(seconds_since(start_)),
                          machine_.tiers().text()));
        if (faults_ > 0) print("The same command tries these again.\n");
    }

    Kit kit_;
    const GradeOptions& options_;
    fs::path results_, hidden_;
    std::vector<std::string> students_;
    std::optional<Shard> shard_;
    MachineGrading machine_;
    std::optional<Anonymity> anonymity_;  ///< empty: names are shown
    GradePlan plan_;
    bool has_begun_ = false;
    std::atomic<int> graded_ = 0, faults_ = 0;  // a signal's thread reads them
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

int grade_command(const Kit& kit, const GradeOptions& options) {
    ClassGrading grading(kit, options);
    const auto stop = [&](const std::exception& error) {
        print_error(fmt::format("course: {}\n{}", error.what(),
                                grading.has_begun() ? "What is graded so far is kept; the same command goes on from "
                                                      "there.\n"
                                                    : ""));
        return 4;
    };
    try {
        return grading.run();
    } catch (const BatchStopped& error) {
        return stop(error);
    } catch (const FileError& error) {
        return stop(error);
    }
}

}  // namespace

void add_grade(CommandLine& line) {
    auto [command, options] = line.add("grade", "judge what a class has handed in", grade_command);
    command.option("submissions", &options.submissions, "what was handed in: an LMS' export, or a folder",
                   {.required = true});
    command.option("--out", &options.results, "the folder of results; what is graded there stays", {.required = true});
    command.option("--roster", &options.roster, "a CSV file: who is in the class");
    command.option("--exercises", &options.exercises, "these alone, with commas: 1,2,8",
                   {.is_number = true, .has_commas = true});
    command.option("--student", &options.students, "this student alone; may be given several times", {.repeats = true});
    command.option("--regrade", &options.regrade, "grade what is selected although nothing has changed");
    command.option("--private", &options.hidden, "a folder of hidden cases: NN-topic/check.cpp");
    command.option("--no-private", &options.no_hidden,
                   "without hidden cases, although these results were graded with some", {.excludes = {"--private"}});
    command.option("--dry-run", &options.dry_run, "say what would be graded, and why, and write nothing");
    command.option("--jobs", &options.workers, "so many answers at once (default: by cores, memory and GPUs)",
                   {.range = std::pair(1, 256)});
    command.option("--device", &options.device, "host or cuda:0 (default: a usable GPU, else the host)");
    command.option("--time-limit", &options.call_seconds, "seconds for one call to a student's code",
                   {.is_positive = true});
    command.option("--job-limit", &options.job_seconds, "seconds for one answer, with its build (default: 1200)",
                   {.is_positive = true});
    add_hiding(command, options.anonymous, options.reveal);
    command.option("--shard", &options.shard, "one share of the answers, K/N: for a job of a cluster's scheduler",
                   {.excludes = {"--regrade", "--anonymous", "--reveal"}});
    command.option("--allow-unsandboxed", &options.allow_unsandboxed, "grade although no sandbox is in force");
}

}  // namespace course
