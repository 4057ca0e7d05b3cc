// SPDX-License-Identifier: MIT
#include "classroom/class_report/student_view.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "classroom/class_report/html.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace course {

namespace {

bool is_right(const std::string& status) { return status == "passed" || status == "noisy"; }

std::string of_points(double points, double max_points) {
    return fmt::format("{} of {}", points_text(points), points_text(max_points));
}

std::string sum_of(const StudentGrade& student) {
    if (student.is_exempt_of_all()) return "exempt";
    return of_points(student.points, student.max_points) + " points" +
           (student.complete ? "" : " so far; some answers haven't been graded yet");
}

class Viewer {
public:
    explicit Viewer(const ViewOptions& options) : options_(options), view_(options.policy->students) {
        shows_hidden_ = view_.hidden_results_from && options.now >= *view_.hidden_results_from;
    }

    ExerciseView view(const CountedExercise& exercise, const ExerciseGrade& grade) const {
        ExerciseView seen{.number = exercise.number,
                          .title = exercise.title,
                          .status = "nothing handed in",
                          .points = of_points(grade.points, grade.max_points),
                          .notes = {},
                          .message = {},
                          .tasks = {},
                          .attempts = {}};
        if (grade.standing == Standing::exempt) {
            seen.status = "it doesn't count for you";
            seen.points = "exempt";
            return seen;
        }
        say_marks(grade, seen);
        if (!grade.unusable.empty()) {
            seen.status = "can't be used";
            seen.notes.push_back("What you handed in can't be used: " + grade.unusable);
        }
        if (grade.standing == Standing::nothing_handed_in) return seen;
        const GradedAttempt& counting = *grade.counting();
        if (grade.standing == Standing::not_graded) {
            seen.status = "not graded";
            if (!grade.has_points()) seen.points = seen.status;
            seen.notes.emplace_back(counting.is_waiting
                                        ? "This answer hasn't been graded yet."
                                        : "The grader failed on this answer. This isn't your fault, and you don't get "
                                          "a zero for it.");
        } else {
            seen.status = counting.result->result->status;
            tell(grade, counting, seen);
            const double share = options_.policy->of(exercise.number).hidden_share.value_or(1);
            for (const WeighedTask& one :
                 weighed_tasks(*counting.result, counting.decision, exercise.max_points, share, grade.marks))
                seen.tasks.push_back(view(one, counting));
            for (const StoredTask& task : counting.result->result->tasks)
                if (task.star && is_right(task.status))
                    seen.tasks.push_back({task.id, task.title, "star", "", {}, {}, ""});
            if (!counting.result->hidden.empty() && !shows_hidden_) status_without_hidden(*counting.result, seen);
            if (counting.result->not_taken.empty()) seen.message = counting.result->result->message;
        }
        for (std::size_t k = 0; k < grade.attempts.size(); ++k) seen.attempts.push_back(view(grade, k));
        return seen;
    }

    void add_timed(const CountedExercise& exercise, const ExerciseGrade& grade,
                   std::vector<TimedAttempt>& timed) const {
        for (std::size_t k = 0; k < grade.attempts.size(); ++k) {
            const GradedAttempt& one = grade.attempts[k];
            if (!one.submission->time) continue;
            timed.push_back({.time = *one.submission->time,
                             .when = options_.policy->time_zone.text(*one.submission->time),
                             .exercise = exercise.number,
                             .attempt = one.submission->attempt,
                             .points = one.points ? of_points(one.counted(), grade.max_points) : "not graded",
                             .counts = grade.counts == k});
        }
    }

private:
    /// Marks of the whole exercise and of tasks, in the instructor's words.
    void say_marks(const ExerciseGrade& grade, ExerciseView& seen) const {
        const GradedAttempt* const counting = grade.counting();
        const bool hides = counting && counting->result && !counting->result->hidden.empty() && !shows_hidden_;
        for (const GivenMark& mark : grade.marks) {
            const std::string text =
                mark.text(mark.is_whole() || !hides);  // a task's points would reveal hidden cases
            const auto when = text_of_day(mark.mark->when);
            if (!text.empty()) seen.notes.push_back(fmt::format("Your instructor{}: {}", when, text));
        }
    }

    /// ", 2026-12-01" from "2026-12-01T22:59:00Z".
    static std::string text_of_day(const std::string& when) {
        return when.size() < 10 ? std::string() : ", " + when.substr(0, 10);
    }

    void tell(const ExerciseGrade& grade, const GradedAttempt& counting, ExerciseView& seen) const {
        const bool loses = !grade.whole_mark();  // points by hand are never reduced for lateness
        const std::string late_by = counting.late_by.empty() ? "" : ", " + counting.late_by;
        if (loses && counting.after_last_acceptance)
            seen.notes.push_back(fmt::format("Handed in after the last acceptance{}: no points.", late_by));
        else if (loses && counting.late < 1)
            seen.notes.push_back(
                fmt::format("Handed in late{}: {:.4g} % of the points count.", late_by, 100 * counting.late));
        if (!counting.result->not_taken.empty())
            seen.notes.push_back("The answer can't be taken: " + counting.result->not_taken);
        if (grade.waits_for_review())
            seen.notes.emplace_back("A task awaits review by your instructor; until then it has no points.");
        if (counting.decision)
            seen.notes.push_back(fmt::format("Your instructor has looked at it, and {} it: {}",
                                             counting.decision->accepted ? "accepts" : "doesn't accept",
                                             counting.decision->because));
        if (counting.result->hidden.empty() || shows_hidden_) return;
        seen.notes.push_back(view_.hidden_results_from
                                 ? "The points take hidden cases into account. What came of them is shown from " +
                                       options_.policy->time_zone.text(*view_.hidden_results_from) + " on."
                                 : "The points take hidden cases into account, which are not shown.");
    }

    /// The verdict on the cases that students have, while the hidden ones may not be seen: worded the same whether or
    /// not those are right.
    static void status_without_hidden(const StoredResult& result, ExerciseView& seen) {
        const auto wrong = std::find_if(seen.tasks.begin(), seen.tasks.end(), [](const TaskView& task) {
            return !is_right(task.status) && task.status != "star";
        });
        seen.status = wrong == seen.tasks.end() ? result.hidden.front().shown_status : wrong->status;
        if (is_right(seen.status)) seen.status += ", in the cases that you have";
    }

    TaskView view(const WeighedTask& one, const GradedAttempt& attempt) const {
        const StoredResult& stored = *attempt.result;
        const StoredTask& task = *one.task;
        TaskView seen{task.id, task.title, task.status, of_points(one.points(), one.max_points()), {}, {}, ""};
        if (one.by_hand) seen.points += " by hand";
        const StoredHidden* hidden = stored.hidden_of(task);
        const bool by_hidden = hidden && is_right(hidden->shown_status) && !is_right(hidden->status);
        if (hidden && !shows_hidden_) {
            seen.status = hidden->shown_status;
            if (!one.by_hand) seen.points = "";
        }
        if (hidden && shows_hidden_)
            seen.texts.push_back(fmt::format("hidden cases: {} of {} right", hidden->passed, hidden->total));
        if (!is_right(task.status) && !by_hidden && stored.not_taken.empty()) {
            for (const std::string& part : said_of(task, task.message)) seen.texts.push_back(part);
        }
        if (view_.findings) {
            for (const StoredFinding& found : task.found)
                seen.texts.emplace_back(found.what + "\n" + found.advice,
                                        options_.code ? options_.code->around(attempt, found) : CodeExcerpt());
            for (const int tag : task.tags)
                for (const Misconception& known : *options_.misconceptions)
                    if (known.number == tag && !by_hidden) seen.misconceptions.push_back(&known);
        }
        if (view_.speed_ups && task.speed && task.speed->pairs > 0)
            seen.speed = fmt::format("{:.3g}x{}", task.speed->speedup,
                                     task.speed->copy_percent > 0
                                         ? fmt::format(", {:.0f} % of a copy's bandwidth", task.speed->copy_percent)
                                         : "");
        return seen;
    }

    std::string view(const ExerciseGrade& grade, std::size_t k) const {
        const GradedAttempt& one = grade.attempts[k];
        std::string text = fmt::format("attempt {}", one.submission->attempt);
        if (one.submission->time) text += ", " + options_.policy->time_zone.text(*one.submission->time);
        const bool by_hand = std::any_of(grade.marks.begin(), grade.marks.end(),
                                         [](const GivenMark& mark) { return mark.gives_points(); });
        text += one.points ? fmt::format(": {} points{}", points_text(one.counted()), by_hand ? " by the grader" : "")
                           : ": not graded";
        return text + (grade.counts == k ? ", counts" : "");
    }

    const ViewOptions& options_;
    const StudentView& view_;
    bool shows_hidden_ = false;
};

}  // namespace

std::string extended_in_all(const StudentGrade& student) {
    const ExerciseGrade* first = nullptr;
    for (const ExerciseGrade& one : student.exercises) {
        if (one.standing == Standing::exempt) continue;
        if (first && one.extended != first->extended) return "";
        first = &one;
    }
    return first ? first->extended : "";
}

StudentPageView view_student(const ClassGrades& grades, const StudentGrade& student, const ViewOptions& options) {
    StudentPageView view{.name = student.student.name,
                         .id = student.student.id,
                         .points = sum_of(student),
                         .exercises = {},
                         .problems = student.problems,
                         .pseudonym = options.pseudonym};
    const Viewer viewer(options);
    view.extended = extended_in_all(student);
    for (std::size_t k = 0; k < student.exercises.size(); ++k) {
        view.exercises.push_back(viewer.view(grades.exercises[k], student.exercises[k]));
        if (const std::string& extended = student.exercises[k].extended; !extended.empty() && view.extended.empty())
            view.exercises.back().notes.push_back("Your deadline: " + extended);
        viewer.add_timed(grades.exercises[k], student.exercises[k], view.timed);
    }
    if (options.policy->deadline) {
        std::chrono::sys_seconds deadline = *options.policy->deadline;
        if (!view.extended.empty())
            deadline =
                options.policy->of(grades.exercises.front().number, student.student.id).deadline.value_or(deadline);
        view.deadline = {deadline, options.policy->time_zone.text(deadline)};
    }
    return view;
}

}  // namespace course

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr int lines_around = 3;
constexpr std::size_t max_file_bytes = std::size_t{1} << 20, max_line_bytes = 200;

/// Tabs as four spaces, other invisible characters as escapes, and no line longer than a page is wide.
std::string shown_line(std::string_view line) {
    std::string text;
    for (const char c : line.substr(0, max_line_bytes)) {
        if (c == '\t')
            text.append(4 - text.size() % 4, ' ');
        else if (c != '\r')
            text += c;
    }
    return plain_text(text, 4 * max_line_bytes, 1) + (line.size() > max_line_bytes ? " ..." : "");
}

bool is_name(const std::string& file) {
    return !file.empty() && file.front() != '.' && file.find('/') == file.npos && file.find('\0') == file.npos;
}

}  // namespace

CodeExcerpt code_excerpt(std::string_view source, int line) {
    CodeExcerpt lines;
    int number = 0;
    bool is_there = false;
    while (!source.empty() && number < line + lines_around) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        ++number;
        is_there = is_there || number == line;
        if (number >= line - lines_around) lines.push_back({number, shown_line(source.substr(0, end)), number == line});
        source.remove_prefix(std::min(end + 1, source.size()));
    }
    return is_there ? lines : CodeExcerpt();
}

CodeExcerpt AnswerCode::around(const GradedAttempt& attempt, const StoredFinding& finding) const {
    if (!attempt.submission || !attempt.result || !is_name(finding.file)) return {};
    const std::vector<SubmittedAnswer>& answers = attempt.submission->answers;
    const auto answer = std::find_if(answers.begin(), answers.end(), [&](const SubmittedAnswer& one) {
        return one.folder == attempt.result->folder;
    });
    if (answer == answers.end() || !attempt.result->key.starts_with(answer->digest + ".")) return {};
    try {
        const std::string source = read_file(
            results_ / "submissions" / attempt.submission->id / answer->folder / finding.file, max_file_bytes);
        return code_excerpt(source, finding.line);
    } catch (const FileError&) {
        return {};  // a header of the exercise, or the folder was tidied up: show the finding without code
    }
}

std::string code_html(const CodeExcerpt& excerpt) {
    if (excerpt.empty()) return "";
    std::string html = "<pre class=\"code\">";
    for (const CodeLine& line : excerpt) {
        const std::string text = fmt::format("<i>{:>4}</i> {}", line.number, html_text(line.text));
        html += line.is_meant ? "<mark>" + text + "</mark>\n" : text + "\n";
    }
    return html + "</pre>\n";
}

std::string code_text(const CodeExcerpt& excerpt) {
    std::string text;
    for (const CodeLine& line : excerpt)
        text += fmt::format("{} {:>4} {}\n", line.is_meant ? '>' : ' ', line.number, line.text);
    return text;
}

namespace {

constexpr double width = 720, left = 90, right = 80, row_height = 30, top = 8;

}  // namespace

std::string attempts_line(std::vector<TimedAttempt> attempts, const std::optional<TimedDeadline>& deadline) {
    std::sort(attempts.begin(), attempts.end(), [](const TimedAttempt& a, const TimedAttempt& b) {
        return std::tie(a.time, a.exercise, a.attempt) < std::tie(b.time, b.exercise, b.attempt);
    });
    if (attempts.empty() || attempts.front().time == attempts.back().time) return "";
    auto first = attempts.front().time, last = attempts.back().time;
    if (deadline) {
        first = std::min(first, deadline->time);
        last = std::max(last, deadline->time);
    }
    std::map<int, double> rows;  // exercises' vertical positions
    for (const TimedAttempt& one : attempts) rows[one.exercise];
    double y = top + row_height / 2;
    for (auto& [exercise, height] : rows) {
        height = y;
        y += row_height;
    }
    const double bottom = y - row_height / 2;
    const auto x = [&](std::chrono::sys_seconds time) {
        const double share = static_cast<double>((time - first).count()) / static_cast<double>((last - first).count());
        return left + share * (width - left - right);
    };
    std::string drawn;
    for (const auto& [exercise, height] : rows)
        drawn += fmt::format(
            "<line class=\"track\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>"
            "<text x=\"0\" y=\"{}\">exercise {}</text>\n",
            left, width - right, height, height, height + 4, exercise);
    if (deadline)
        drawn += fmt::format("<line class=\"bound\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"0\" y2=\"{1}\"/>\n",
                             x(deadline->time), bottom);
    for (const TimedAttempt& one : attempts)
        drawn += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{}\" r=\"6\"><title>{}</title></circle>\n",
                             one.counts ? "mark counts" : "mark other", x(one.time), rows[one.exercise],
                             html_text(fmt::format("attempt {}, {}: {}", one.attempt, one.when, one.points)));
    const auto day = [](const std::string& when) { return html_text(when.substr(0, 10)); };
    const auto end = [&](std::chrono::sys_seconds time, const TimedAttempt& attempt) {
        return day(deadline && deadline->time == time ? deadline->when : attempt.when);
    };
    const std::string first_day = end(first, attempts.front()), last_day = end(last, attempts.back());
    drawn += fmt::format("<text x=\"{}\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
                         left, bottom + 16, first_day, width - right, bottom + 16, last_day);
    std::vector<HtmlRow> table;
    for (const TimedAttempt& one : attempts)
        table.push_back({html_text(one.when),
                         {std::to_string(one.exercise), std::to_string(one.attempt), html_text(one.points),
                          one.counts ? "yes" : ""}});
    return fmt::format(
               "<h2>Attempts over time</h2>\n<figure>\n<svg viewBox=\"0 0 {} {}\" role=\"img\" "
               "aria-label=\"Attempts over time; the table has the same\">\n{}</svg>\n"
               "<figcaption>Filled: the attempt that counts.{}</figcaption>\n",
               width, bottom + 22, drawn,
               deadline ? " Dashed: the deadline, " + html_text(deadline->when) + "." : "") +
           html_table("Attempts", {"handed in", "exercise", "attempt", "points", "counts"}, table) + "</figure>\n";
}

}  // namespace course
