// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "answer/judge_answer.hpp"
#include "batch/results/executor.hpp"

namespace course {

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
