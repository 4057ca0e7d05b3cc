// SPDX-License-Identifier: MIT
#include "classroom/batch/plan.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "classroom/batch/results/results_folder.hpp"
#include "classroom/submissions/take_in.hpp"
#include "kit/kit.hpp"
#include "support/files.hpp"
#include "support/progress.hpp"
#include "support/text.hpp"

namespace course {

namespace {

/// What the submission is selected by; empty: there is no selection.
bool is_selected(const ClassSubmission& submission, const std::vector<std::string>& students,
                 std::set<std::string>& found) {
    if (students.empty()) return true;
    bool any = false;
    for (const std::string& one : students) {
        const bool is_it =
            one == submission.student || one == submission.id ||
            std::find(submission.members.begin(), submission.members.end(), one) != submission.members.end();
        if (!is_it) continue;
        found.insert(one);
        any = true;
    }
    return any;
}

class Planner {
public:
    Planner(const std::vector<GradedExercise>& exercises, const Selection& selection,
            const std::filesystem::path& results)
        : selection_(selection), results_(results), grader_(grader_digest()) {
        for (const GradedExercise& one : exercises) by_folder_[one.folder] = &one;
    }

    void add(const ClassSubmission& submission) {
        for (const SubmittedAnswer& answer : submission.answers) {
            const auto known = by_folder_.find(answer.folder);
            if (known == by_folder_.end()) {
                plan.notes.push_back(
                    {submission.id, fmt::format("{} is not an exercise of this edition: left out", answer.folder)});
                continue;
            }
            const GradedExercise& exercise = *known->second;
            const std::vector<int>& chosen = selection_.exercises;
            if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), exercise.number) == chosen.end()) continue;
            if (selection_.shard.has(submission.id, exercise.folder)) add(submission.id, answer, exercise);
        }
    }

    GradePlan plan;

private:
    void add(const std::string& submission, const SubmittedAnswer& answer, const GradedExercise& exercise) {
        const GradeKey key{.answer = answer.digest,
                           .exercise = exercise.digest,
                           .hidden = exercise.hidden_digest.empty() ? "none" : exercise.hidden_digest,
                           .grader = grader_};
        const auto old = read_class_result_head(class_result_path(results_, submission, exercise.folder));
        std::string why = old ? why_graded(old->key, key) : "new";
        const int graded = why.empty() ? old->graded : 0;  // under exactly this key
        if (why.empty() && !old->grader_fault.empty()) why = "grader's fault last time";
        if (why.empty() && selection_.regrade) why = "regrade";
        if (why.empty()) {
            ++plan.skipped;
            ++plan.unchanged[submission];
            return;
        }
        if (old) note_hidden(submission, exercise, hidden_of_key(old->key), key.hidden);
        GradeJob job{.submission = submission, .folder = exercise.folder, .number = exercise.number, .key = key.text()};
        job.graded = graded;
        plan.jobs.push_back({std::move(job), std::move(why)});
    }

    void note_hidden(const std::string& submission, const GradedExercise& exercise, const std::string& old,
                     const std::string& now) {
        if (old == now) return;
        const int number = exercise.number;
        std::string what;
        if (now == "none")
            what = fmt::format("exercise {} is graded again, without hidden cases", number);
        else if (old == "none")
            what = fmt::format("exercise {} has hidden cases now, and is graded again", number);
        else
            what = fmt::format("the hidden cases of exercise {} have changed since: it is graded again", number);
        plan.notes.push_back({submission, what});
    }

    const Selection& selection_;
    std::filesystem::path results_;
    std::string grader_;
    std::map<std::string, const GradedExercise*> by_folder_;
};

}  // namespace

GradePlan plan_grading(const ClassIntake& intake, const std::vector<GradedExercise>& exercises,
                       const Selection& selection, const std::filesystem::path& results) {
    Planner planner(exercises, selection, results);
    std::set<std::string> found;
    for (const ClassSubmission& submission : intake.submissions)
        if (is_selected(submission, selection.students, found)) planner.add(submission);
    for (const std::string& student : selection.students)
        if (!found.contains(student)) planner.plan.unknown_students.push_back(student);
    return std::move(planner.plan);
}

namespace {

constexpr int max_shards = 100'000;

}  // namespace

bool Shard::has(const std::string& submission, const std::string& folder) const {
    const std::string hexadecimal = digest(submission + '/' + folder).substr(0, 16);
    std::uint64_t value = 0;
    std::from_chars(hexadecimal.data(), hexadecimal.data() + hexadecimal.size(), value, 16);
    return value % static_cast<std::uint64_t>(of) == static_cast<std::uint64_t>(number - 1);
}

std::string Shard::name() const { return fmt::format("{}-of-{}", number, of); }

Shard parse_shard(std::string_view text) {
    const std::optional<Share> share = share_from(text, max_shards);
    if (!share)
        throw UsageError(fmt::format(
            "--shard {}: K/N is the K-th of N shares, 2/8 for instance: two whole numbers, K from 1 to N, N up to {}",
            text, max_shards));
    return {static_cast<int>(share->number), static_cast<int>(share->of)};
}

namespace {

constexpr std::size_t max_roster_bytes = std::size_t{64} << 20;

}  // namespace

ClassIntake class_intake(const Kit& kit, const GradeOptions& options, const IntakeFolders& folders) {
    const ProgressLine progress("taking in what was handed in ...");
    IntakeOptions intake;
    intake.submissions = options.submissions;
    // Without it the same students would get other IDs next time.
    const std::filesystem::path kept = folders.results / "roster.csv";
    std::error_code missing;
    const bool has_kept = options.roster.empty() && std::filesystem::is_regular_file(kept, missing);
    intake.roster = has_kept ? kept : std::filesystem::path(options.roster);
    intake.into = folders.into;
    intake.root = kit.root;
    intake.bare_exercises = options.exercises;
    intake.dry_run = options.dry_run;
    try {
        ClassIntake taken = take_in(intake);
        if (!options.roster.empty() && !options.dry_run)
            put_result(folders.unfinished, kept, read_file(options.roster, max_roster_bytes));
        return taken;
    } catch (const IntakeError& error) {
        throw UsageError(error.what());
    }
}

}  // namespace course
