// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "answer/judge_answer.hpp"
#include "support/files.hpp"
#include "support/process.hpp"

namespace course {

/// Rejects a missing submissions folder, and results among the submissions or vice versa. @throws UsageError
void check_class_folders(const std::filesystem::path& submissions, const std::filesystem::path& results);

/// The results folder, locked by one batch at a time or by its shards, including workers: they inherit the lock.
class ResultsLock {
public:
    enum class Holder { batch, shard };

    /// Creates the folder, accessible to this user alone. A whole batch waits briefly for the workers of killed
    /// batches, then removes their half-written files. @throws UsageError if another batch works on it, a batch would
    /// run beside shards, or it can't be written
    ResultsLock(const std::filesystem::path& results, Holder holder);

    [[nodiscard]] int descriptor() const noexcept { return file_.get(); }

private:
    void wait_for(const std::filesystem::path& results, Holder holder);

    UniqueFd file_;
};

/// A folder in RESULTS for the half-written results of one run. The next batch removes what a killed run leaves there,
/// and a machine that was cut off can't write there afterwards.
class UnfinishedResults {
public:
    /// The lock must be held. @throws FileError
    explicit UnfinishedResults(const std::filesystem::path& results);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_.path(); }

private:
    TemporaryPath folder_;
};

/// The parent folder of this batch's workers' scratch folders: always the same for the same results, so that a killed
/// batch's leftovers are found. Removed at the end.
class BatchScratch {
public:
    /// Ends processes left by a killed batch, and removes its files. The lock must be held. @throws UsageError, also if
    /// a running batch has the same folder
    /// @param part distinguishes it from other scratch folders of the same results on this machine: a shard's name
    explicit BatchScratch(const std::filesystem::path& results, const std::string& part = {});

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_.path(); }

private:
    TemporaryPath folder_;
    UniqueFd held_;
};

/// Writes a results file atomically, whenever this program is killed: writes it in the existing folder `unfinished`,
/// then renames it. @throws FileError
void put_result(const std::filesystem::path& unfinished, const std::filesystem::path& file, std::string_view text);

/// Kills this user's processes whose TMPDIR or working folder is inside `folder`; returns how many there were.
int kill_processes_of_folder(const std::filesystem::path& folder);

/// An answer to grade: an exercise of a submission.
struct GradeJob {
    std::string submission = {};  ///< "ada-1"
    std::string folder = {};      ///< "08-raw-add"
    int number = 0;
    std::string key = {};                     ///< of the result's dependencies (batch/grade_record.hpp)
    int graded = 0;                           ///< how often exactly this has been graded to the end before
    std::filesystem::path hidden_check = {};  ///< a plug-in; empty: none
    int attempt = 1;                          ///< 2: the first worker died while grading it, or took too long
};

/// The outcome of a job.
struct JobOutcome {
    std::string status = {};  ///< a verdict; empty: none was reached
    bool passed = false;
    int points = 0, max_points = 0;
    double seconds = 0;
    std::string fault = {};  ///< of the grader, never the student's; empty: it is graded
    std::string sick_gpu =
        {};                    ///< what was wrong with the worker's GPU after a runner was killed on it; empty: nothing
    std::string backend = {};  ///< "host", "cuda"; empty: it never got that far
};

/// The batch can't continue: no worker can be started, or the results can't be written.
class BatchStopped : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Grades a list of jobs.
class Executor {
public:
    using Done = std::function<void(std::size_t job, const JobOutcome& outcome)>;

    Executor() = default;
    virtual ~Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    /// Returns when each job's result file exists. Calls `done` once per job, in any order, on the calling thread.
    /// @throws BatchStopped
    virtual void run(std::span<const GradeJob> jobs, const Done& done) = 0;
};

/// The version of RESULTS/results/SUBMISSION/NN-topic.json.
inline constexpr int class_result_schema = 1;

/// What the next batch needs to know of a result: the file's first line, so it needn't read all of it.
struct ClassResultHead {
    std::string key;
    std::string grader_fault;  ///< empty: graded
    int graded = 0;            ///< how often exactly this has been graded to the end
};

/// RESULTS/results/ada-1/08-raw-add.json
std::filesystem::path class_result_path(const std::filesystem::path& results, const std::string& submission,
                                        const std::string& folder);

/// Nothing if the file is missing or incomplete.
std::optional<ClassResultHead> read_class_result_head(const std::filesystem::path& file);

/// A task's hidden cases: how many, and their outcome.
struct HiddenTask {
    std::string id;
    int passed = 0, total = 0;
    Verdict verdict = Verdict::passed, shown = Verdict::passed;  ///< of the hidden cases; of those that students have
};

/// Merges the hidden cases: a task's verdict becomes the worse of both. Copies nothing else of a case to `judged`.
std::vector<HiddenTask> fold_hidden(const Result& hidden, Result& judged);

/// The contents of a result's file besides its job.
struct ClassResult {
    const Result& result;
    std::optional<std::vector<HiddenTask>> hidden = {};
    std::string grader_fault = {};  ///< empty: none
    std::string not_taken = {};     ///< why the answer can't be taken, by the student's fault; empty: it can
    double seconds = 0;
};

/// The file's text: JSON whose first line has everything except the result.
std::string class_result_text(const GradeJob& job, const ClassResult& graded);

/// A result in which every task couldn't be judged.
Result not_judged_result(const Manifest& manifest, const std::string& why);

}  // namespace course
