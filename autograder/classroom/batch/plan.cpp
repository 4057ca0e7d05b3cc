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
#include "classroom/submissions/roster.hpp"
#include "classroom/submissions/take_in.hpp"
#include "kit/kit.hpp"
#include "support/files.hpp"
#include "support/progress.hpp"
#include "support/text.hpp"

namespace course {

namespace {

bool is_by(const ClassSubmission& submission, const std::string& student) {
    return student == submission.student || student == submission.id ||
           std::find(submission.members.begin(), submission.members.end(), student) != submission.members.end();
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
    for (const ClassSubmission& submission : intake.submissions)
        if (selection.students.empty() || std::any_of(selection.students.begin(), selection.students.end(),
                                                      [&](const auto& one) { return is_by(submission, one); }))
            planner.add(submission);
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

/// Puts the id in the place of each name, login or address of a student.
void name_selected(const ClassIntake& intake, const Roster& roster, std::vector<std::string>& students) {
    const auto handed_in = [&](const std::string& student) {
        return std::any_of(intake.submissions.begin(), intake.submissions.end(),
                           [&](const ClassSubmission& one) { return is_by(one, student); });
    };
    for (std::string& student : students) {
        if (handed_in(student)) continue;
        const std::vector<std::string> named = students_named(intake, roster, student);
        if (named.size() > 1)
            throw UsageError(fmt::format("--student {}{}", plain_line(student), one_of_students(named)));
        if (named.empty())
            throw UsageError(fmt::format("--student {}: there is no student of that name{}", plain_line(student),
                                         near_student(intake, student)));
        if (!handed_in(named[0]))
            throw UsageError(fmt::format("--student {}: {} handed in nothing", plain_line(student), named[0]));
        student = named[0];
    }
}

/// Results are one class's, and the times of a roster are read as they were before.
void compare_with_last(const std::filesystem::path& file, const ClassIntake& now,
                       const std::filesystem::path& results) {
    ClassIntake last;
    try {
        last = read_intake(read_file(file));
    } catch (const IntakeError&) {  // broken, or of another kit: it is replaced, as it always was
        return;
    }
    std::set<std::string> known;
    for (const ClassSubmission& one : last.submissions) known.insert({one.source, one.student});
    for (const ClassStudent& one : last.roster) known.insert(one.id);
    const auto is_known = [&](const ClassSubmission& one) {
        return known.contains(one.source) || known.contains(one.student);
    };
    if (!last.submissions.empty() && std::none_of(now.submissions.begin(), now.submissions.end(), is_known))
        throw UsageError(fmt::format("{} has the results of other students, and none of theirs is among these: choose "
                                     "another folder for --out",
                                     results.string()));
    if (!last.time_zone.empty() && zone_of_environment().empty())
        throw UsageError(fmt::format("these results were graded with TZ={0}, in which the roster's times were read: "
                                     "write TZ={0} course grade ... again, or the time zone that they are in",
                                     last.time_zone));
}

}  // namespace

ClassIntake class_intake(const Kit& kit, const GradeOptions& options, const IntakeFolders& folders,
                         std::vector<std::string>& students) {
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
    const std::filesystem::path last = folders.results / "intake.json";
    intake.accept = [&](const ClassIntake& now, const Roster& roster) {
        if (std::filesystem::exists(last)) compare_with_last(last, now, folders.results);
        name_selected(now, roster, students);
    };
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
