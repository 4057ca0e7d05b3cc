// SPDX-License-Identifier: MIT
// What a batch decides and keeps, and how its workers are watched: with results written by hand, and with workers that
// are shell scripts.

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "classroom/batch/grade_display.hpp"
#include "classroom/batch/grade_record.hpp"
#include "classroom/batch/machine_grading.hpp"
#include "classroom/batch/plan.hpp"
#include "classroom/batch/results/results_folder.hpp"
#include "classroom/batch/workers/local_executor.hpp"
#include "classroom/batch/workers/worker.hpp"
#include "classroom/batch/workers/worker_count.hpp"
#include "kit/kit.hpp"
#include "support/files.hpp"
#include "support/folder.hpp"

namespace fs = std::filesystem;
using namespace course;

namespace {

Result sample_result(std::vector<std::pair<std::string, Verdict>> tasks) {
    Result result;
    result.number = 1;
    result.exercise = "twice";
    for (const auto& [id, verdict] : tasks) {
        TaskResult task;
        task.id = id;
        task.verdict = verdict;
        task.max_points = 2;
        task.points = is_passed(task) ? 2 : 0;
        result.verdict = worst(result.verdict, verdict);
        result.tasks.push_back(task);
    }
    return result;
}

void keep(const test::Folder& results, const GradeJob& job, const std::string& fault = "") {
    const Result result = sample_result({{"number", Verdict::passed}});
    ClassResult graded{.result = result};
    graded.grader_fault = fault;
    results.write("results/" + job.submission + "/" + job.folder + ".json", class_result_text(job, graded));
}

ClassIntake class_of(int students, const std::string& digest = "aa") {
    ClassIntake intake;
    for (int k = 0; k < students; ++k) {
        ClassSubmission one;
        one.student = fmt::format("s{}", k);
        one.id = one.student + "-1";
        one.members = {one.student, fmt::format("partner{}", k)};
        one.answers = {{1, "01-twice", digest}, {2, "02-shift", digest}};
        intake.submissions.push_back(one);
    }
    return intake;
}

const std::vector<GradedExercise> toys = {{1, "01-twice", "e1", ""}, {2, "02-shift", "e2", ""}};

/// Keeps the result of each job, as a worker does.
class StubExecutor : public Executor {
public:
    explicit StubExecutor(const test::Folder& results, double* seconds) : results_(results), seconds_(*seconds) {}
    void run(std::span<const GradeJob> jobs, const Done& done) override {
        for (std::size_t k = 0; k < jobs.size(); ++k) {
            const std::clock_t start = std::clock();
            keep(results_, jobs[k]);
            seconds_ += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
            JobOutcome outcome;
            outcome.status = "passed";
            done(k, outcome);
        }
    }

private:
    const test::Folder& results_;
    double& seconds_;  ///< that keeping has taken
};

std::vector<GradeJob> jobs_of(const GradePlan& plan) {
    std::vector<GradeJob> jobs;
    for (const PlannedJob& one : plan.jobs) jobs.push_back(one.job);
    return jobs;
}

}  // namespace

TEST_CASE("what changed is graded again, and said; what is equal isn't") {
    const test::Folder results;
    GradePlan plan = plan_grading(class_of(2), toys, {}, results.path());
    REQUIRE(plan.jobs.size() == 4);
    CHECK(plan.jobs[0].why == "new");
    for (const PlannedJob& one : plan.jobs) keep(results, one.job);

    plan = plan_grading(class_of(2), toys, {}, results.path());
    CHECK(plan.jobs.empty());
    CHECK(plan.skipped == 4);
    CHECK(plan.unchanged["s1-1"] == 2);

    plan = plan_grading(class_of(2, "bb"), toys, {}, results.path());
    REQUIRE(plan.jobs.size() == 4);
    CHECK(plan.jobs[0].why == "answer changed");

    auto exercises = toys;
    exercises[1].digest = "e3";
    plan = plan_grading(class_of(2), exercises, {}, results.path());
    REQUIRE(plan.jobs.size() == 2);
    CHECK(plan.jobs[0].why == "exercise changed");
    CHECK(plan.jobs[0].job.number == 2);

    exercises = toys;
    exercises[0].hidden_digest = "h1";
    plan = plan_grading(class_of(2), exercises, {}, results.path());
    REQUIRE(plan.jobs.size() == 2);
    CHECK(plan.jobs[0].why == "hidden cases changed");
    const std::string now = "exercise 1 has hidden cases now, and is graded again";
    CHECK(plan.notes == std::vector<WarningOn>{{"s0-1", now}, {"s1-1", now}});
    for (const PlannedJob& one : plan.jobs) keep(results, one.job);
    exercises[0].hidden_digest = "h2";
    plan = plan_grading(class_of(1, "bb"), exercises, {}, results.path());  // the answer has changed as well
    CHECK(plan.jobs[0].why == "answer changed");
    CHECK(plan.notes ==
          std::vector<WarningOn>{{"s0-1", "the hidden cases of exercise 1 have changed since: it is graded again"}});
    plan = plan_grading(class_of(1), toys, {}, results.path());
    CHECK(plan.notes == std::vector<WarningOn>{{"s0-1", "exercise 1 is graded again, without hidden cases"}});

    CHECK(why_graded("a.b.none.old", {"a", "b", "none", "new"}) == "grader changed");
    CHECK(why_graded("anything", {"a", "b", "none", "new"}) == "grader changed");
}

TEST_CASE("shares: each answer is in one of them, by its name alone, and they are about equal") {
    for (const int of : {1, 2, 7, 300}) {
        std::vector<int> sizes(static_cast<std::size_t>(of));
        for (int k = 0; k < 6000; ++k) {
            int in = 0;
            for (int number = 1; number <= of; ++number)
                if (Shard{number, of}.has(fmt::format("s{}-1", k), "08-raw-add")) {
                    ++in;
                    ++sizes[static_cast<std::size_t>(number - 1)];
                }
            if (in != 1) FAIL("answer " << k << " is in " << in << " of " << of << " shares");
        }
        const int mean = 6000 / of;
        for (const int size : sizes) CHECK(std::abs(size - mean) < 5 * std::sqrt(mean) + 1);
    }
    // Of another kit, too: one share may be graded by an older one.
    const auto share_of_nine = [](const std::string& submission) {
        for (int number = 1; number <= 9; ++number)
            if (Shard{number, 9}.has(submission, "08-raw-add")) return number;
        return 0;
    };
    CHECK(share_of_nine("ada-1") == 5);
    CHECK(share_of_nine("ada-2") == 7);
    CHECK(share_of_nine("bob-1") == 2);

    const test::Folder results;
    std::size_t planned = 0;
    for (int number = 1; number <= 3; ++number) {
        Selection selection;
        selection.shard = {number, 3};
        const GradePlan plan = plan_grading(class_of(20), toys, selection, results.path());
        for (const PlannedJob& one : plan.jobs) CHECK(selection.shard.has(one.job.submission, one.job.folder));
        planned += plan.jobs.size();
    }
    CHECK(planned == 40);
}

TEST_CASE("--shard takes K/N, and says so of anything else") {
    CHECK(parse_shard("1/1").name() == "1-of-1");
    CHECK(parse_shard("2/8").name() == "2-of-8");
    for (const char* text : {"", "2", "/", "2/", "/8", "0/8", "9/8", "-1/8", "2/-8", "0/0", "2/8/9", " 2/8", "2/8 ",
                             "2.5/8", "+2/8", "2/100001", "99999999999/99999999999"})
        CHECK_THROWS_WITH_AS(
            parse_shard(text),
            fmt::format("--shard {}: K/N is the K-th of N shares, 2/8 for instance: two whole numbers, "
                        "K from 1 to N, N up to 100000",
                        text)
                .c_str(),
            UsageError);
}

TEST_CASE("the page on clusters shows grade.sbatch as it is") {
    const fs::path root = COURSE_SOURCE_DIR;
    CHECK(test::read(root / "docs/class/clusters.md")
              .find("```bash\n" + test::read(root / "autograder/cluster/grade.sbatch") + "```\n") != std::string::npos);
}

TEST_CASE("shards work beside each other; a whole batch doesn't beside them, nor the same shard twice") {
    const test::Folder results, scratch;
    const char* old = std::getenv("TMPDIR");
    const std::string kept = old ? old : "";
    ::setenv("TMPDIR", scratch.path().c_str(), 1);
    {
        const ResultsLock one(results.path(), ResultsLock::Holder::shard);
        const ResultsLock other(results.path(), ResultsLock::Holder::shard);
        const UnfinishedResults unfinished(results.path());
        put_result(unfinished.path(), results / "results/ada-1/01-twice.json", "whole");
        CHECK(test::read(results / "results/ada-1/01-twice.json") == "whole");
        const BatchScratch first(results.path(), "-1-of-2"), second(results.path(), "-2-of-2");
        CHECK(first.path() != second.path());
        CHECK_THROWS_WITH_AS(BatchScratch(results.path(), "-2-of-2"),
                             fmt::format("the same part of these results is being graded on this machine already, in "
                                         "{}: wait until it has finished",
                                         second.path().string())
                                 .c_str(),
                             UsageError);
        CHECK(fs::is_directory(second.path()));
        CHECK_THROWS_WITH_AS(ResultsLock(results.path(), ResultsLock::Holder::batch),
                             fmt::format("shards of course grade work on {}: wait until they have finished",
                                         results.path().string())
                                 .c_str(),
                             UsageError);
    }
    CHECK(fs::is_empty(scratch.path()));
    // A machine that was cut off, and is back when the last batch has begun: its result has no place any more.
    const UnfinishedResults late(results.path());
    const ResultsLock batch(results.path(), ResultsLock::Holder::batch);
    CHECK_THROWS_AS(ResultsLock(results.path(), ResultsLock::Holder::shard), UsageError);
    CHECK_THROWS_AS(put_result(late.path(), results / "results/ada-1/01-twice.json", "late"), FileError);
    CHECK(test::read(results / "results/ada-1/01-twice.json") == "whole");
    old ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
}

TEST_CASE("a selection: exercises, students or partners or submissions, and what hasn't changed") {
    const test::Folder results;
    GradePlan plan = plan_grading(class_of(3), toys, {{2}, {"s1", "partner2"}, false}, results.path());
    REQUIRE(plan.jobs.size() == 2);
    CHECK(plan.jobs[0].job.submission == "s1-1");
    CHECK(plan.jobs[0].job.number == 2);
    CHECK(plan.jobs[1].job.submission == "s2-1");
    for (const PlannedJob& one : plan.jobs) keep(results, one.job);
    plan = plan_grading(class_of(3), toys, {{2}, {"s1-1"}, true}, results.path());
    REQUIRE(plan.jobs.size() == 1);
    CHECK(plan.jobs[0].why == "regrade");
    CHECK(plan.jobs[0].job.graded == 1);
    plan = plan_grading(class_of(3), toys, {{}, {"nobody", "s0"}, false}, results.path());
}

TEST_CASE("an exercise that this edition doesn't have is left out, and said") {
    const test::Folder results;
    const GradePlan plan = plan_grading(class_of(1), {toys[0]}, {}, results.path());
    CHECK(plan.jobs.size() == 1);
    REQUIRE(plan.notes.size() == 1);
    CHECK(plan.notes[0] == WarningOn{"s0-1", "02-shift is not an exercise of this edition: left out"});
}

TEST_CASE("neither a half result nor a grader's fault is believed") {
    const test::Folder results;
    const GradePlan plan = plan_grading(class_of(1), toys, {}, results.path());
    keep(results, plan.jobs[0].job, "the disk was full");
    keep(results, plan.jobs[1].job);
    const fs::path file = class_result_path(results.path(), "s0-1", "02-shift");
    const std::string whole = test::read(file);
    GradePlan again = plan_grading(class_of(1), toys, {}, results.path());
    REQUIRE(again.jobs.size() == 1);
    CHECK(again.jobs[0].why == "grader's fault last time");
    CHECK(again.jobs[0].job.graded == 0);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        fs::resize_file(file, size);
        CHECK_FALSE(read_class_result_head(file));
        results.write("results/s0-1/02-shift.json", whole);
    }
    REQUIRE(read_class_result_head(file));
    CHECK(read_class_result_head(file)->graded == 1);
}

TEST_CASE("a result's file is JSON with the whole result in it") {
    const test::Folder results;
    GradeJob job{.submission = "s0-1", .folder = "01-twice", .number = 1, .key = "a.b.c.d", .graded = 1};
    Result result = sample_result({{"number", Verdict::passed}, {"list", Verdict::passed}});
    result.printed = "\xff\n,\n\"result\": {";  // what a student prints
    Result hidden = sample_result({{"list", Verdict::wrong}});
    hidden.tasks[0].cases.resize(3);
    hidden.tasks[0].cases[1].verdict = Verdict::wrong;
    hidden.tasks[0].cases[1].name = "SECRET n = 4711";
    hidden.tasks[0].message = "SECRET";
    ClassResult graded{.result = result};
    graded.hidden = fold_hidden(hidden, result);
    const std::string text = class_result_text(job, graded);
    CHECK(text.find("SECRET") == text.npos);
    const nlohmann::json json = nlohmann::json::parse(text);
    CHECK(json["schema"] == 1);
    CHECK(json["graded"] == 2);
    CHECK(json["grader_fault"] == "");
    CHECK(json["private"] == nlohmann::json::parse(R"({"status": "wrong", "tasks": [
        {"id": "list", "passed": 2, "total": 3, "status": "wrong", "shown_status": "passed"}]})"));
    CHECK(json["result"]["points"] == 2);
    CHECK(json["result"]["status"] == "wrong");
    CHECK(json["result"]["tasks"][0]["status"] == "passed");
    CHECK(json["result"]["tasks"][1]["status"] == "wrong");
    CHECK(json["result"]["tasks"][1]["points"] == 0);
}

TEST_CASE("hidden cases make no verdict better") {
    Result judged = sample_result({{"number", Verdict::crashed}});
    const std::vector<HiddenTask> folded = fold_hidden(sample_result({{"number", Verdict::passed}}), judged);
    CHECK(judged.verdict == Verdict::crashed);
    CHECK(judged.tasks[0].verdict == Verdict::crashed);
    REQUIRE(folded.size() == 1);
    CHECK(folded[0].shown == Verdict::crashed);
}

TEST_CASE("workers: a core each, and memory for each") {
    constexpr std::size_t gib = std::size_t{1} << 30;
    CHECK(workers_for(2, 24 * gib, 4 * gib) == 2);
    CHECK(workers_for(64, 24 * gib, 4 * gib) == 6);
    CHECK(workers_for(8, gib, 4 * gib) == 1);
    CHECK(workers_for(0, 0, 4 * gib) == 1);
    CHECK(workers_for(64, 999 * gib, 4 * gib, 1) == 8);
    CHECK(workers_for(64, 999 * gib, 4 * gib, 3) == 24);
    CHECK(workers_for(4, 999 * gib, 4 * gib, 1) == 4);
    CHECK(workers_for(999, 9999 * gib, 4 * gib, 99) == 256);
    CHECK(workers_for_this_machine(0) >= 1);
}

TEST_CASE("GPUs are shared out as CUDA_VISIBLE_DEVICES names them") {
    using Names = std::vector<std::string>;
    CHECK(gpus_to_share(nullptr, 2, "").gpus == Names{"0", "1"});
    CHECK(gpus_to_share("3,GPU-5d", 2, "").gpus == Names{"3", "GPU-5d"});
    const SharedGpus second = gpus_to_share("3,GPU-5d", 2, "cuda:1");
    CHECK(second.gpus == Names{"GPU-5d"});
    CHECK(second.device == "cuda:0");
    CHECK(gpus_to_share("3", 1, "cuda:7").device == "cuda:7");  // there is none: libgpu says so
    CHECK(gpus_to_share("3,99", 1, "").gpus == Names{"3"});     // the driver stops at the first that it doesn't know
    CHECK(gpus_to_share("", 0, "").gpus.empty());
}

TEST_CASE("a GPU's bandwidth is measured if an exercise has a speed line, and not without one") {
    const test::Folder folder;
    folder.write("course-probe", "#!/bin/sh\necho \"asked $1\" >> \"${0%/*}/asked\"\n"
                                 "echo probe backend cuda\necho probe devices 1\n");
    fs::permissions(folder / "course-probe", fs::perms::owner_all);
    fs::copy(COURSE_SOURCE_DIR "/autograder/tests/toy/exercises", folder / "exercises", fs::copy_options::recursive);
    Kit kit{folder.path(), Toolchain::configured()};
    kit.toolchain.program_dir = folder.path();
    kit.toolchain.compiler = "false";  // nothing is built here
    const auto asked = [&] {
        GradeOptions options;
        options.results = (folder / "results").string();
        options.device = "cuda:0";
        options.allow_unsandboxed = true;
        options.workers = 1;
        MachineGrading machine(kit, options);
        machine.look_at_machine();
        fs::remove(folder / "asked");
        const std::vector<GradeJob> jobs(1, {.folder = "01-twice", .number = 1});
        CHECK_THROWS(machine.build_checks(jobs, folder.path()));
        return test::read(folder / "asked");
    };
    CHECK(asked() == "asked \n");
    const std::string manifest = "exercises/01-twice/exercise.toml", budgets = "budgets = { launches = 0 }\n";
    folder.write(manifest, test::replaced(test::read(folder / manifest), budgets,
                                          budgets + "speed = { at_least = 2.0, elements = 1000 }\n"));
    CHECK(asked() == "asked --bandwidth\n");
}

TEST_CASE("lines for people") {
    CHECK(waiting_time(12.4) == "12 s");
    CHECK(waiting_time(600) == "10 min");
    CHECK(waiting_time(2 * 3600 + 300) == "2 h 5 min");
    CHECK(time_left(0, 4, 0, 9) == "");
    CHECK(time_left(1, 4, 5, 0) == ", 15 s left");
    CHECK(time_left(1, 4, 5, 4) == ", 11 s left");  // it counts down
    CHECK(time_left(3, 4, 15, 60) == "");           // one that hangs: nobody knows
    CHECK(time_left(4, 4, 20, 0) == "");
    const JobOutcome right{.status = "passed", .passed = true, .points = 3, .max_points = 3, .seconds = 1};
    JobOutcome fault;
    fault.fault = "why";
    CHECK(submission_line("ada-1", {{2, fault}, {1, right}}, 1, 7) ==
          "ada-1    1 passed, 2 grader's fault (and 1 as before)   3 of 3 points   1.0 s\n");
}

TEST_CASE("messages come as they went, and others aren't understood") {
    const GradeJob job{.submission = "a\n\"b",
                       .folder = "01-twice",
                       .number = 1,
                       .key = "k",
                       .graded = 2,
                       .hidden_check = "/x/check.so",
                       .attempt = 2};
    const std::string line = job_line(job);
    CHECK(std::count(line.begin(), line.end(), '\n') == 1);
    const auto read = parse_job(line);
    REQUIRE(read);
    CHECK(read->submission == job.submission);
    CHECK(read->hidden_check == job.hidden_check);
    CHECK(read->attempt == 2);
    const auto answer = parse_answer(answer_line({.outcome = JobOutcome{.status = "wrong", .points = 1}}));
    REQUIRE((answer && answer->outcome));
    CHECK(answer->outcome->points == 1);
    for (const char* bad :
         {"", "{}", "[]", "{\"ready\": 3}", "\xff", "{\"ready\": true, \"stop\": \"\", \"outcome\": 1}"})
        CHECK_FALSE(parse_answer(bad));
    CHECK_FALSE(parse_job("{\"submission\": 1}"));
}

namespace {

/// A worker that is a shell script: `$job` is the line of its job, `answer STATUS` answers. `body` is run for each.
class ScriptedBatch {
public:
    explicit ScriptedBatch(const std::string& body, const std::string& first = "ready") {
        folder_.write("worker", "#!/bin/bash\ncd " + folder_.path().string() +
                                    "\n"
                                    "answer() { echo \"{\\\"ready\\\": false, \\\"stop\\\": \\\"$3\\\", "
                                    "\\\"outcome\\\": {\\\"status\\\": \\\"$1\\\","
                                    " \\\"passed\\\": true, \\\"points\\\": 1, \\\"max_points\\\": 1, "
                                    "\\\"seconds\\\": 0, \\\"fault\\\": \\\"$2\\\","
                                    " \\\"sick_gpu\\\": \\\"$4\\\", \\\"backend\\\": \\\"host\\\"}}\"; }\n"
                                    "ready() { echo '{\"ready\": true, \"stop\": \"\"}'; }\n" +
                                    first + "\nwhile read -r job; do\n" + body + "\ndone\n");
        fs::permissions(folder_ / "worker", fs::perms::owner_all);
        options.worker.arguments = {(folder_ / "worker").string()};
        options.workers = 2;
        options.record_fault = [this](const GradeJob& job, const std::string& why) { recorded[job.submission] = why; };
        options.say = [this](const std::string& line) { said.push_back(line); };
    }

    void run(int count) {
        std::vector<GradeJob> jobs;
        for (int k = 0; k < count; ++k) jobs.push_back({.submission = fmt::format("s{}", k), .folder = "f"});
        LocalExecutor executor(options);
        executor.run(jobs, [&](std::size_t job, const JobOutcome& outcome) {
            CHECK_FALSE(outcomes.contains(job));
            outcomes[job] = outcome;
        });
        CHECK(outcomes.size() == jobs.size());
    }

    [[nodiscard]] const test::Folder& folder() const { return folder_; }

    LocalOptions options;
    std::map<std::size_t, JobOutcome> outcomes;
    std::map<std::string, std::string> recorded;
    std::vector<std::string> said;

private:
    test::Folder folder_;
};

}  // namespace

TEST_CASE("workers share the jobs, and each job has one outcome") {
    ScriptedBatch batch("echo $$ >> workers; sleep 0.02; answer passed");
    batch.run(20);
    std::map<std::string, int> workers;
    std::ifstream lines(batch.folder() / "workers");
    for (std::string line; std::getline(lines, line);) ++workers[line];
    CHECK(workers.size() == 2);
    CHECK(batch.recorded.empty());
}

TEST_CASE("a job that kills its worker is tried once more, then the grader's fault; the others go on") {
    ScriptedBatch batch(
        "[[ $job == *'\"s2\"'* ]] && kill -9 $$\n"
        "[[ $job == *'\"s4\"'*  && ! -e once ]] && { touch once; kill -9 $$; }\n"
        "answer passed");
    batch.run(6);
    for (std::size_t k = 0; k < 6; ++k) CHECK(batch.outcomes[k].fault.empty() == (k != 2));
    CHECK(batch.outcomes[2].fault == "the grader's worker died");
    CHECK(batch.recorded == std::map<std::string, std::string>{{"s2", "the grader's worker died"}});
}

TEST_CASE("a job that takes too long is ended with all that its worker has started") {
    ScriptedBatch batch(
        "[[ $job == *'\"s1\"'* ]] && { setsid sleep 1000 & echo $! >> sleepers; sleep 1000; }\n"
        "answer passed");
    batch.options.job_seconds = 0.5;
    batch.run(3);
    CHECK(batch.outcomes[1].fault == "it took longer than 0.5 s");
    CHECK(batch.outcomes[0].fault.empty());
    std::ifstream sleepers(batch.folder() / "sleepers");
    int count = 0;
    for (pid_t one = 0; sleepers >> one; ++count) CHECK(::kill(one, 0) != 0);
    CHECK(count == 2);
}

TEST_CASE("a fault that the worker names is tried again by a fresh one") {
    ScriptedBatch batch("echo $$ >> workers; answer environment 'no compiler'");
    batch.options.workers = 1;
    batch.run(1);
    CHECK(batch.outcomes[0].fault == "no compiler");
    std::ifstream lines(batch.folder() / "workers");
    std::string first, second;
    lines >> first >> second;
    CHECK(first != second);
    CHECK_FALSE(second.empty());
}

TEST_CASE("a worker that answers nonsense is replaced") {
    ScriptedBatch batch("[[ ! -e once ]] && { touch once; echo 'Segmentation fault'; continue; }\nanswer passed");
    batch.options.workers = 1;
    batch.run(3);
    for (const auto& [job, outcome] : batch.outcomes) CHECK(outcome.fault.empty());
}

TEST_CASE("what a worker had written before it died counts") {
    ScriptedBatch batch("touch written; kill -9 $$");
    batch.options.written = [&](const GradeJob&) { return JobOutcome{.status = "graded"}; };
    batch.run(2);
    CHECK(batch.outcomes[0].status == "graded");
    CHECK(batch.recorded.empty());
}

TEST_CASE("beside other shards, a job whose result has come since isn't done again") {
    ScriptedBatch batch("echo x >> done; answer passed");
    batch.options.written = [&](const GradeJob& job) {
        return job.submission == "s1" || job.submission == "s3" ? std::optional(JobOutcome{.status = "graded"})
                                                                : std::nullopt;
    };
    batch.options.looks_first = true;
    batch.options.workers = 1;
    batch.run(4);
    for (std::size_t k = 0; k < 4; ++k) CHECK(batch.outcomes[k].status == (k % 2 == 1 ? "graded" : "passed"));
    CHECK(test::read(batch.folder() / "done") == "x\nx\n");
}

TEST_CASE("the batch stops if no worker starts, or one can't write") {
    ScriptedBatch none("", "exit 3");
    CHECK_THROWS_WITH_AS(none.run(4), "the grader's workers can't be started: the grader's worker died", BatchStopped);
    ScriptedBatch full("answer '' '' 'no space left on device'");
    CHECK_THROWS_WITH_AS(full.run(4), "no space left on device", BatchStopped);
}

TEST_CASE("each GPU has its workers; one that is sick is taken out, and its jobs are done on another") {
    ScriptedBatch batch(
        "echo $CUDA_VISIBLE_DEVICES >> gpus\n"
        "[[ $CUDA_VISIBLE_DEVICES == B ]] && { answer crashed '' '' 'the canary is wrong'; continue; }\n"
        "sleep 0.05; answer passed");
    batch.options.workers = 4;
    batch.options.gpus = {"A", "B"};
    batch.run(12);
    for (const auto& [job, outcome] : batch.outcomes) CHECK(outcome.status == "passed");
    CHECK(batch.said == std::vector<std::string>{"GPU B is taken out of the batch: the canary is wrong"});
    CHECK(test::read(batch.folder() / "gpus").find("A\n") != std::string::npos);

    ScriptedBatch killed("[[ $CUDA_VISIBLE_DEVICES == B ]] && kill -9 $$\nsleep 0.05; answer passed");
    killed.options.gpus = {"A", "B"};
    std::vector<std::string> asked;
    killed.options.canary = [&](const std::string& gpu) {
        asked.push_back(gpu);
        return gpu == "B" ? "it hangs" : "";
    };
    killed.run(6);
    CHECK(asked == std::vector<std::string>{"B"});
    CHECK(killed.recorded.empty());

    ScriptedBatch alone("answer crashed '' '' 'it fell off the bus'");
    alone.options.gpus = {"A"};
    CHECK_THROWS_WITH_AS(alone.run(2), "no GPU is left that works; the answers that are graded so far are kept",
                         BatchStopped);
}

TEST_CASE("processes that a killed batch left are found by their folder, and nobody else's are") {
    const test::Folder folder;
    const auto start = [](const std::string& variable) {
        const pid_t process = ::fork();
        if (process == 0) {
            ::execl("/usr/bin/env", "env", variable.c_str(), "sleep", "1000", nullptr);
            ::_exit(127);
        }
        return process;
    };
    const pid_t left = start("TMPDIR=" + (folder / "course-scratch-abc").string());
    const pid_t other = start("TMPDIR=" + folder.path().string() + "2");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    std::thread reaper([&] { ::waitpid(left, nullptr, 0); });
    CHECK(kill_processes_of_folder(folder.path()) == 1);
    reaper.join();
    CHECK(::waitpid(other, nullptr, WNOHANG) == 0);
    ::kill(other, SIGKILL);
    ::waitpid(other, nullptr, 0);
}

// To be run by hand, with --no-skip: prints processor time per submission of a batch whose executor only keeps results,
// without the time for that; the median of several.
TEST_CASE("growth" * doctest::skip()) {
    const auto seconds = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
    for (const int students : {30, 300, 3000}) {
        std::vector<double> grade, find;
        for (int round = 0; round < std::max(9, 3000 / students); ++round) {
            const test::Folder results;
            const ClassIntake intake = class_of(students);
            const double start = seconds();
            const GradePlan plan = plan_grading(intake, toys, {}, results.path());
            const std::vector<GradeJob> jobs = jobs_of(plan);
            double kept = 0;
            {
                GradeDisplay display(plan, false, [](const std::string& id) { return id; });
                StubExecutor(results, &kept).run(jobs, [&](std::size_t job, const JobOutcome& outcome) {
                    display.done(job, outcome);
                });
            }
            const double graded = seconds();
            CHECK(plan_grading(intake, toys, {}, results.path()).jobs.empty());
            grade.push_back(graded - start - kept);
            find.push_back(seconds() - graded);
        }
        const auto each = [&](std::vector<double>& all) {
            std::sort(all.begin(), all.end());
            return 1e6 * all[all.size() / 2] / students;
        };
        std::fprintf(stderr, "%5d submissions: %.1f us each to plan and show, %.1f us each to find unchanged\n",
                     students, each(grade), each(find));
    }
}
