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

/// Refuses what can't be: no submissions, results among the submissions, or the reverse. @throws UsageError
void check_class_folders(const std::filesystem::path& submissions, const std::filesystem::path& results);

/// The folder of results, held by one batch at a time or by its shards, workers included: they inherit the lock.
class ResultsLock {
public:
    enum class Holder { batch, shard };

    /// Makes the folder, for this user alone. A whole batch removes what others had begun to write when they were
    /// killed, after waiting a moment for their workers. @throws UsageError if another batch works on it, or a batch
    /// would beside shards, or it can't be written
    ResultsLock(const std::filesystem::path& results, Holder holder);

    [[nodiscard]] int descriptor() const noexcept { return file_.get(); }

private:
    void wait_for(const std::filesystem::path& results, Holder holder);

    OpenFile file_;
};

/// A folder for the half-written results of one run, in RESULTS. What a killed run leaves there goes when the next
/// batch begins; what a machine that was cut off writes after that finds no place any more.
class UnfinishedResults {
public:
    /// The lock must be held. @throws FileError
    explicit UnfinishedResults(const std::filesystem::path& results);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_.path(); }

private:
    TemporaryPath folder_;
};

/// Where the workers of this batch have their own scratch folders: always the same for the same results, so that what a
/// killed batch has left there is found. Removed at the end.
class BatchScratch {
public:
    /// Ends processes that a killed batch has left, and removes its files. The lock must be held. @throws UsageError,
    /// also if a batch that lives has the same folder
    /// @param part what tells it from the other scratch folders of the same results on this machine: a shard's name
    explicit BatchScratch(const std::filesystem::path& results, const std::string& part = {});

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_.path(); }

private:
    TemporaryPath folder_;
    OpenFile held_;
};

/// Writes a file of the results so that it is there whole or not at all, whenever this program is killed: it is written
/// in the folder `unfinished`, which must be there, and renamed. @throws FileError
void put_result(const std::filesystem::path& unfinished, const std::filesystem::path& file, std::string_view text);

/// Kills this user's processes whose TMPDIR or working folder lies in `folder`; returns how many there were.
int kill_processes_of_folder(const std::filesystem::path& folder);

/// One answer to grade: an exercise of a submission.
struct GradeJob {
    std::string submission = {};  ///< "ada-1"
    std::string folder = {};      ///< "08-raw-add"
    int number = 0;
    std::string key = {};                     ///< of what the result depends on (batch/grade_record.hpp)
    int graded = 0;                           ///< how often just this has been graded to the end before
    std::filesystem::path hidden_check = {};  ///< a plug-in; empty: none
    int attempt = 1;                          ///< 2: the first worker died of it, or took too long
};

/// What became of a job.
struct JobOutcome {
    std::string status = {};  ///< a verdict; empty: none was found
    bool passed = false;
    int points = 0, max_points = 0;
    double seconds = 0;
    std::string fault = {};  ///< of the grader, never the student's; empty: it is graded
    std::string sick_gpu =
        {};                    ///< what was wrong with the worker's GPU after a runner was killed on it; empty: nothing
    std::string backend = {};  ///< "host", "cuda"; empty: it didn't come to that
};

/// The batch can't go on: no worker can be started, the results can't be written.
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

    /// Returns when each job has its result's file. `done` is called once for each, in any order, by the caller's own
    /// thread. @throws BatchStopped
    virtual void run(std::span<const GradeJob> jobs, const Done& done) = 0;
};

/// The version of RESULTS/results/SUBMISSION/NN-topic.json.
inline constexpr int class_result_schema = 1;

/// What the next batch must know of a result: the file's first line, so that it needn't read all of it.
struct ClassResultHead {
    std::string key;
    std::string grader_fault;  ///< empty: graded
    int graded = 0;            ///< how often just this has been graded to the end
};

/// RESULTS/results/ada-1/08-raw-add.json
std::filesystem::path class_result_path(const std::filesystem::path& results, const std::string& submission,
                                        const std::string& folder);

/// None if there is no such file, or not a whole one.
std::optional<ClassResultHead> read_class_result_head(const std::filesystem::path& file);

/// How many hidden cases a task has, and what came of them.
struct HiddenTask {
    std::string id;
    int passed = 0, total = 0;
    Verdict verdict = Verdict::passed, shown = Verdict::passed;  ///< of the hidden cases; of those that students see
};

/// Takes the hidden cases into account: a task's verdict is the worse of both. Nothing of a case goes over to `judged`
/// but that.
std::vector<HiddenTask> fold_hidden(const Result& hidden, Result& judged);

/// What a result's file says besides its job.
struct ClassResult {
    const Result& result;
    std::optional<std::vector<HiddenTask>> hidden = {};
    std::string grader_fault = {};  ///< empty: none
    std::string not_taken = {};     ///< why the answer can't be taken, which is the student's; empty: it can
    double seconds = 0;
};

/// The file's text: JSON whose first line has everything but the result itself.
std::string class_result_text(const GradeJob& job, const ClassResult& graded);

/// A result that says of each task that it couldn't be judged.
Result not_judged_result(const Manifest& manifest, const std::string& why);

}  // namespace course
