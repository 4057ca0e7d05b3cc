// SPDX-License-Identifier: MIT
#include "classroom/class_report/class_page.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "classroom/class_report/html.hpp"
#include "classroom/class_report/student_view.hpp"
#include "support/text.hpp"

namespace course {

namespace {

constexpr std::size_t max_rows = 200;  // per list, except the one of students

/// A chart that the script draws of the table in it. Without the script the table is open.
std::string figure(const std::string& kind, const std::string& name, const std::string& says,
                   const std::string& attributes, const std::string& table) {
    return fmt::format(
        "<figure data-kind=\"{}\" data-name=\"{}\"{}>\n<div class=\"plot\"></div>\n"
        "<figcaption>{}</figcaption>\n<details open><summary>The numbers as a table</summary>\n{}</details>"
        "\n</figure>\n",
        kind, name, attributes, html_text(says), table);
}

std::string name_of(const CountedExercise& exercise) {
    return html_text(fmt::format("{} {}", exercise.number, exercise.title));
}

class Page {
public:
    explicit Page(const ClassPage& page) : page_(page), grades_(*page.grades), counted_(*page.counted) {}

    std::string html() {
        section("Points", "points", points());
        section("Where people fail", "exercises", exercises());
        section("Speed", "speed", speed());
        section("Time line", "time", time_line());
        section("Submissions to look at", "taken", taken());
        section("By hand", "marks", marks());
        section("Students", "students", students());
        section("How this was graded", "how", how());
        const std::string body = "<p><a class=\"skip\" href=\"#students\">To the list of students</a></p>\n" +
                                 (page_.note.empty() ? "" : "<p>" + html_text(page_.note) + "</p>\n") + facts() +
                                 to_do() + "<nav aria-label=\"Sections\"><ul>" + links_ + "</ul></nav>\n" + sections_;
        return html_page(
            {.title = page_.policy->title + ": results of the class", .body = body, .script = page_.script});
    }

private:
    void section(const char* title, const char* id, const std::string& html) {
        if (html.empty()) return;
        links_ += fmt::format("<li><a href=\"#{}\">{}</a></li>", id, title);
        sections_ +=
            fmt::format("<section id=\"{}\" aria-labelledby=\"{}-title\">\n<h2 id=\"{}-title\">{}</h2>\n{}</section>\n",
                        id, id, id, title, html);
    }

    [[nodiscard]] std::string link_to(const StudentGrade& student) const {
        const auto at = page_.student_pages.find(student.student.id);
        const std::string id = html_text(student.student.id);
        const std::string link = at == page_.student_pages.end()
                                     ? id
                                     : fmt::format("<a href=\"{}\">{}</a>", html_text(at->second), id);
        return link + (student.student.name == student.student.id ? "" : " " + html_text(student.student.name));
    }

    [[nodiscard]] std::string facts() const {
        std::size_t waiting = 0;
        for (const StudentGrade& one : grades_.students)
            waiting += static_cast<std::size_t>(
                std::count_if(one.exercises.begin(), one.exercises.end(),
                              [](const ExerciseGrade& grade) { return grade.waits_for_review(); }));
        std::string html = "<dl class=\"facts\">";
        const auto fact = [&](const char* what, const std::string& value) {
            html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", what, value);
        };
        fact("students", std::to_string(grades_.students.size()));
        fact("submissions", std::to_string(page_.read->intake.submissions.size()));
        if (counted_.complete > 0) {
            fact("median points",
                 fmt::format("{} of {}", points_text(counted_.points_quartiles[2]), points_text(grades_.max_points)));
            fact("mean points", points_text(counted_.points_mean));
        }
        fact("incomplete", std::to_string(counted_.incomplete));
        fact("awaiting review", std::to_string(waiting));
        return html + "</dl>\n";
    }

    /// What needs a person: reviews, the grader's faults, unreadable files.
    [[nodiscard]] std::string to_do() const {
        std::vector<HtmlRow> reviews, faults, to_grade, changed;
        std::string problems, warnings;
        for (const StudentGrade& student : grades_.students)
            for (std::size_t k = 0; k < student.exercises.size(); ++k)
                for (const GivenMark& mark : student.exercises[k].marks)
                    if (mark.is_of_other_answer)
                        changed.push_back(
                            {link_to(student), {html_text(grades_.exercises[k].folder), html_text(mark.text())}});
        for (const std::string& line : grades_.warnings) warnings += "<li>" + html_text(line) + "</li>\n";
        for (const StudentGrade& student : grades_.students)
            for (std::size_t k = 0; k < student.exercises.size(); ++k)
                for (const GradedAttempt& one : student.exercises[k].attempts) {
                    const std::string what =
                        fmt::format("{}, attempt {}", grades_.exercises[k].folder, one.submission->attempt);
                    if (one.waits_for_review) reviews.push_back({link_to(student), {html_text(what)}});
                    if (one.is_waiting)
                        to_grade.push_back({link_to(student), {html_text(what)}});
                    else if (!one.fault.empty())
                        faults.push_back(
                            {link_to(student),
                             {html_text(what), "<span class=\"faint\">" + html_text(one.fault) + "</span>"}});
                }
        for (std::size_t k = 0; k < page_.read->problems.size() && k < max_rows; ++k)
            problems += "<li>" + html_text(page_.read->problems[k]) + "</li>\n";
        if (reviews.empty() && faults.empty() && to_grade.empty() && changed.empty() && problems.empty() &&
            warnings.empty())
            return "";
        std::string html =
            "<section class=\"todo\" aria-labelledby=\"todo-title\">\n<h2 id=\"todo-title\">To do</h2>\n";
        if (!reviews.empty())
            html +=
                fmt::format(
                    "<p>Faster than the device can move the bytes, or work that can't be counted: no points until you "
                    "have looked. "
                    "<code>course confirm {}</code> lists them.</p>\n",
                    html_text(page_.results)) +
                cut_table(plural(reviews.size(), "result") + " to review", {"student", "answer"}, reviews);
        if (!faults.empty())
            html += "<p>The grader failed on these: no points and no zero. Grade again; only these are run.</p>\n" +
                    cut_table(plural(faults.size(), "answer") + " not graded", {"student", "answer", "why"}, faults);
        if (!to_grade.empty())
            html += "<p>Not graded yet: <code>course grade</code> goes on from here.</p>\n" +
                    cut_table(plural(to_grade.size(), "answer") + " to grade", {"student", "answer"}, to_grade);
        if (!changed.empty())
            html += "<p>Marked by hand, and another answer counts now: look again.</p>\n" +
                    cut_table(plural(changed.size(), "mark") + " of an earlier answer", {"student", "answer", "mark"},
                              changed);
        if (!warnings.empty()) html += "<p>Without effect:</p>\n<ul>\n" + warnings + "</ul>\n";
        if (!problems.empty())
            html += fmt::format("<p>{} can't be used:</p>\n<ul>\n{}</ul>\n",
                                plural(page_.read->problems.size(), "file"), problems);
        return html + "</section>\n";
    }

    static std::string cut_table(const std::string& caption, const std::vector<std::string>& columns,
                                 std::vector<HtmlRow> rows) {
        const std::size_t all = rows.size();
        rows.resize(std::min(all, max_rows));
        return html_table(caption, columns, rows) +
               (all > max_rows ? fmt::format("<p>and {} more</p>\n", all - max_rows) : "");
    }

    [[nodiscard]] std::string points() const {
        if (counted_.complete == 0) return "<p>Nobody is graded in all exercises yet.</p>\n";
        std::vector<HtmlRow> rows;
        for (const auto& [from, count] : counted_.points) rows.push_back({from, {std::to_string(count)}});
        const auto mode = std::max_element(counted_.points.begin(), counted_.points.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        const Quartiles& q = counted_.points_quartiles;
        const auto next = std::next(mode);  // a bar covers the points from its own number up to the next one's
        const bool is_last = next == counted_.points.end();
        const std::string says = fmt::format(
            "Points of {}, out of {}. Median {}; the middle half scored {} to {}. Most common: {} points ({}).",
            plural(counted_.complete, "student"), points_text(grades_.max_points), points_text(q[2]), points_text(q[1]),
            points_text(q[3]), is_last ? mode->first : fmt::format("{} to below {}", mode->first, next->first),
            plural(mode->second, "student"));
        std::string html = figure("bars", "Bar chart of points", says, " data-x=\"points, from\"",
                                  html_table("Students by points", {"points, from", "students"}, rows));
        if (counted_.incomplete > 0)
            html += fmt::format("<p>{} with something that isn't graded: not counted here.</p>\n",
                                plural(counted_.incomplete, "student"));
        return html;
    }

    [[nodiscard]] std::string exercises() const {
        if (grades_.exercises.empty()) return "<p>Nothing was handed in.</p>\n";
        std::vector<std::string> columns = {"exercise"};
        for (const std::string_view name : group_names) columns.emplace_back(name);
        std::vector<HtmlRow> rows;
        std::string says = "Verdicts of each exercise. Passed: ", details;
        for (std::size_t k = 0; k < grades_.exercises.size(); ++k) {
            const ExerciseStatistics& one = counted_.exercises[k];
            HtmlRow row{name_of(grades_.exercises[k]), {}};
            for (const int count : one.groups) row.cells.push_back(std::to_string(count));
            rows.push_back(std::move(row));
            says += fmt::format("{}{} of {} in exercise {}", k == 0 ? "" : ", ", one.groups[0],
                                std::accumulate(one.groups.begin(), one.groups.end(), 0), grades_.exercises[k].number);
            details += exercise(grades_.exercises[k], one);
        }
        return figure("stacks", "Bars of verdicts", says + ".", "", html_table("Students by verdict", columns, rows)) +
               details;
    }

    [[nodiscard]] std::string exercise(const CountedExercise& exercise, const ExerciseStatistics& one) const {
        std::string html = fmt::format("<h3>{}</h3>\n<p>{} graded, {} of {} points on average.</p>\n",
                                       name_of(exercise), plural(one.graded, "answer"),
                                       points_text(one.mean), points_text(exercise.max_points));
        std::vector<HtmlRow> tasks, findings, tags;
        for (const auto& [task, shared] : one.tasks)
            tasks.push_back({html_text(task), {std::to_string(shared.students), example(shared)}});
        std::stable_sort(tasks.begin(), tasks.end(), [](const HtmlRow& a, const HtmlRow& b) {
            return std::stoi(a.cells[0]) > std::stoi(b.cells[0]);
        });
        for (const auto& [number, shared] : one.tags) {
            const auto at =
                std::find_if(page_.misconceptions->begin(), page_.misconceptions->end(),
                             [number = number](const Misconception& known) { return known.number == number; });
            const std::string name = at == page_.misconceptions->end() ? "" : ", " + at->name;
            tags.push_back({html_text(fmt::format("{} of {} students: misconception {}{}", shared.students, one.graded,
                                                  number, name)),
                            {at == page_.misconceptions->end() ? "" : html_text(at->sentence), example(shared)}});
        }
        for (const auto& [kind, shared] : one.findings)
            findings.push_back(
                {html_text(fmt::format("{} of {}: {}", shared.students, one.graded, kind)),
                 {example(shared) + (page_.code && shared.finding
                                         ? code_html(page_.code->around(*shared.attempt, *shared.finding))
                                         : "")}});
        if (!tasks.empty())
            html += html_table("Tasks that aren't right", {"task and verdict", "students", "an example"}, tasks);
        if (!tags.empty()) html += html_table("Likely misconceptions", {"which", "in fact", "an example"}, tags);
        if (!findings.empty()) html += html_table("What check mode found", {"what", "an example"}, findings);
        return html;
    }

    [[nodiscard]] std::string example(const Shared& shared) const {
        constexpr std::size_t max_shown = 300;
        std::string text = shared.text;
        if (text.size() > max_shown) text = std::string(cut_between_characters(text, max_shown)) + " ...";
        for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos;) text.replace(at, 1, "; ");  // one line
        return link_to(*shared.example) + (text.empty() ? "" : ": " + html_text(text));
    }

    [[nodiscard]] std::string speed() const {
        std::vector<HtmlRow> rows;
        for (std::size_t k = 0; k < grades_.exercises.size(); ++k) {
            const std::vector<double>& values = counted_.exercises[k].speed_ups;
            if (values.empty()) continue;
            HtmlRow row{name_of(grades_.exercises[k]), {}};
            for (const double one : quartiles(values)) row.cells.push_back(fmt::format("{:.3g}", one));
            row.cells.push_back(std::to_string(values.size()));
            rows.push_back(std::move(row));
        }
        std::string html;
        if (rows.empty())
            html = "<p>No speed was measured: that takes a GPU, or the answers failed before.</p>\n";
        else
            html = figure(
                "boxes", "Chart of speed-ups",
                "Speed-ups over one CPU thread, of each student's best right task: the line goes from the "
                "least to the most, the box holds the middle half, the stroke in it is the median.",
                " data-x=\"speed-up\"",
                html_table("Speed-ups",
                           {"exercise", "least", "quarter", "median", "three quarters", "most", "students"}, rows));
        if (!counted_.speeds.empty()) html += roofline();
        if (page_.has_leaderboard)
            html += "<p><a href=\"leaderboard.html\">The leaderboard</a> names nobody, and may be shown to all.</p>\n";
        return html;
    }

    [[nodiscard]] std::string roofline() const {
        std::string points, roofs;
        const std::size_t step = counted_.speeds.size() / 1500 + 1;  // more points would only be a blot
        std::map<int, std::vector<double>> rates, bytes;
        for (std::size_t k = 0; k < counted_.speeds.size(); ++k) {
            const SpeedPoint& one = counted_.speeds[k];
            rates[one.exercise].push_back(one.bytes_per_second / 1e9);
            bytes[one.exercise].push_back(one.bytes / 1e6);
            if (k % step == 0)
                points += fmt::format("{}{},{:.4g},{:.4g}", points.empty() ? "" : " ", one.exercise, one.bytes,
                                      one.bytes_per_second);
        }
        std::string says =
            "Bytes that one call must move, and the rate at which it does; the number is the exercise's.";
        for (const auto& [device, rate] : counted_.bandwidths) {
            if (rate <= 0) continue;
            roofs += fmt::format("{}{:.4g},{}", roofs.empty() ? "" : "|", rate, device);
            says += fmt::format(
                " A copy on {} reaches {:.4g} GB/s: the dashed line, which no call that needs all its bytes "
                "can pass.",
                device, rate / 1e9);
        }
        std::vector<HtmlRow> rows;
        for (const auto& [number, values] : rates) {
            const Quartiles q = quartiles(values);
            rows.push_back({std::to_string(number),
                            {fmt::format("{:.4g}", quartiles(bytes[number])[2]), fmt::format("{:.4g}", q[2]),
                             fmt::format("{:.4g}", q[4]), std::to_string(values.size())}});
        }
        return "<h3>Roofline</h3>\n" +
               figure("roof", "Roofline", says,
                      fmt::format(" data-points=\"{}\" data-roofs=\"{}\"", points, html_text(roofs)),
                      html_table("Rates",
                                 {"exercise", "MB a call, median", "GB/s, median", "GB/s, most", "timed tasks"}, rows));
    }

    [[nodiscard]] std::string time_line() const {
        if (counted_.days.empty()) return "<p>The LMS gave no time stamps.</p>\n";
        std::vector<HtmlRow> rows;
        const Day* busiest = &counted_.days.front();
        for (const Day& day : counted_.days)
            if (day.submissions > busiest->submissions) busiest = &day;
        std::string table = html_table("Submissions by day", {"day", "submissions"}, {});
        std::string body;
        for (const Day& day : counted_.days)
            body +=
                fmt::format("<tr{}><th scope=\"row\">{}</th><td>{}</td></tr>\n",
                            day.has_deadline ? " data-mark=\"deadline\"" : "", html_text(day.date), day.submissions);
        const std::size_t at = table.find("</tbody>");
        table.insert(at, body);
        return figure(
            "bars", "Bar chart of submissions",
            fmt::format("Submissions by day, {} ({}). Most came on {}: {}.", plural(counted_.days.size(), "day"),
                        page_.policy->time_zone.name(), busiest->date, busiest->submissions),
            " data-x=\"day\"", table);
    }

    /// What the intake noted about each student's submissions: files left out, somebody else's name. Students with the
    /// same note share a row.
    [[nodiscard]] std::string taken() const {
        std::vector<HtmlRow> rows;
        std::map<std::string, std::vector<std::size_t>> by_lines;
        std::size_t count = 0;
        std::vector<std::string> order;
        for (std::size_t k = 0; k < grades_.students.size(); ++k) {
            std::string lines;
            for (const std::string& line : grades_.students[k].problems)
                lines += (lines.empty() ? "" : "<br>") + html_text(line);
            if (const std::string& late = grades_.students[k].late_without_time; !late.empty())
                lines += (lines.empty() ? "" : "<br>") + html_text(late);
            if (lines.empty()) continue;
            ++count;
            if (by_lines[lines].empty()) order.push_back(lines);
            by_lines[lines].push_back(k);
        }
        for (const std::string& lines : order) {
            const std::vector<std::size_t>& students = by_lines.at(lines);
            std::string who = students.size() == 1 ? "" : plural(students.size(), "student") + ": ";
            for (const std::size_t k : students)
                who += (k == students.front() ? "" : ", ") + link_to(grades_.students[k]);
            rows.push_back({who, {lines}});
        }
        if (rows.empty()) return "";
        const std::string caption = "What was noticed about the submissions of " + plural(count, "student");
        return cut_table(caption, {"student", "what was noticed"}, std::move(rows));
    }

    /// Points and comments that an instructor gave.
    [[nodiscard]] std::string marks() const {
        std::vector<HtmlRow> rows;
        for (const StudentGrade& student : grades_.students)
            for (std::size_t k = 0; k < student.exercises.size(); ++k)
                for (const GivenMark& mark : student.exercises[k].marks)
                    rows.push_back({link_to(student),
                                    {std::to_string(grades_.exercises[k].number), html_text(mark.text()),
                                     html_text(mark.mark->when.substr(0, 10) +
                                               (mark.mark->by.empty() ? "" : ", by " + mark.mark->by))}});
        if (rows.empty()) return "";
        const std::string caption = plural(rows.size(), "mark") + " by hand";
        return cut_table(caption, {"student", "exercise", "mark", "when"}, std::move(rows));
    }

    [[nodiscard]] std::string students() const {
        std::vector<std::string> columns = {"student"};
        for (const CountedExercise& one : grades_.exercises)
            columns.push_back(fmt::format("<abbr title=\"{}\">{}</abbr>", html_text(one.title), one.number));
        columns.insert(columns.end(), {"points", "attempts", "notes"});
        std::vector<HtmlRow> rows;
        for (const StudentGrade& student : grades_.students) {
            HtmlRow row{link_to(student), {}};
            std::size_t attempts = 0;
            std::string notes = student.rostered ? "" : "not on the roster";
            const std::string extended = extended_in_all(student);
            if (!extended.empty()) notes += (notes.empty() ? "" : ", ") + extended;
            for (std::size_t k = 0; k < student.exercises.size(); ++k) {
                const ExerciseGrade& grade = student.exercises[k];
                row.cells.push_back(grade.standing == Standing::exempt ? "exempt"
                                    : !grade.has_points()              ? "not graded"
                                    : grade.attempts.empty() && grade.unusable.empty() && !grade.whole_mark()
                                        ? "\xE2\x80\x93"
                                        : points_text(grade.points));
                attempts = std::max(attempts, grade.attempts.size());
                if (!grade.marks.empty())
                    notes += fmt::format("{}{} by hand", notes.empty() ? "" : ", ", grades_.exercises[k].number);
                if (!grade.extended.empty() && extended.empty())
                    notes +=
                        fmt::format("{}{} {}", notes.empty() ? "" : ", ", grades_.exercises[k].number, grade.extended);
                if (const GradedAttempt* one = grade.counting();
                    one && !grade.whole_mark() && (one->late < 1 || one->after_last_acceptance))
                    notes += fmt::format("{}{} {}", notes.empty() ? "" : ", ", grades_.exercises[k].number,
                                         one->after_last_acceptance ? "after the last acceptance" : "late");
                if (!grade.unusable.empty())
                    notes += fmt::format("{}{} can't be used", notes.empty() ? "" : ", ", grades_.exercises[k].number);
                if (grade.waits_for_review())
                    notes += fmt::format("{}{} to review", notes.empty() ? "" : ", ", grades_.exercises[k].number);
            }
            const bool is_scaled = std::abs(student.max_points - grades_.max_points) > 1e-9;
            row.cells.push_back(student.is_exempt_of_all()
                                    ? "exempt"
                                    : points_text(student.points) +
                                          (is_scaled ? " of " + points_text(student.max_points) : "") +
                                          (student.complete ? "" : " +?"));
            row.cells.push_back(std::to_string(attempts));
            if (!student.late_without_time.empty())
                notes += notes.empty() ? "LATE in Canvas, time not known" : ", LATE in Canvas, time not known";
            if (!student.problems.empty() || !student.late_without_time.empty())
                notes += notes.empty() ? "to look at" : ", to look at";
            row.cells.push_back(html_text(notes));
            rows.push_back(std::move(row));
        }
        return "<p class=\"filter\" hidden><label>Find a student <input type=\"search\" autocomplete=\"off\"></label> "
               "<output aria-live=\"polite\"></output></p>\n" +
               html_table(fmt::format("Points of {} (\xE2\x80\x93: nothing handed in; +?: something isn't graded)",
                                      plural(grades_.students.size(), "student")),
                          columns, rows);
    }

    [[nodiscard]] std::string how() const {
        const ClassPolicy& policy = *page_.policy;
        std::string html = "<ul>\n";
        const auto say = [&](const std::string& line) { html += "<li>" + html_text(line) + "</li>\n"; };
        if (policy.deadline) {
            const LateRule& late = policy.late;
            say("Deadline: " + policy.time_zone.text(*policy.deadline));
            if (late.grace_minutes > 0) say(fmt::format("{} minutes of grace", late.grace_minutes));
            if (late.lose > 0)
                say(fmt::format("Late: {:.4g} % less for each started {:.4g} hours, down to {:.4g} %", 100 * late.lose,
                                late.each_hours, 100 * late.floor));
        }
        if (policy.last_acceptance) say("Last acceptance: " + policy.time_zone.text(*policy.last_acceptance));
        say(policy.best_of == BestOf::best ? "The best attempt counts." : "The latest attempt counts.");
        if (policy.asks_for_hidden)
            say(fmt::format("{:.4g} % of a task's points are those of its hidden cases", 100 * policy.hidden_share));
        say(policy.points_per_star > 0
                ? fmt::format("A star gives {} points more.", points_text(policy.points_per_star))
                : "Stars give no points.");
        for (const std::string& note : grades_.notes) say(note);
        for (const std::string& problem : page_.read->intake.problems) say("Taken in: " + problem);
        html += "</ul>\n";
        std::vector<HtmlRow> rows;
        for (const auto& [what, count] : counted_.environments)
            rows.push_back({html_text(what), {std::to_string(count)}});
        if (!rows.empty()) html += html_table("Environments and sandboxes", {"environment", "results"}, rows);
        rows.clear();
        for (const auto& [key, value] : page_.read->ran_with)
            rows.push_back({html_text(key), {"<span class=\"faint\">" + html_text(value) + "</span>"}});
        if (!rows.empty()) html += html_table("The batch", {"what", "value"}, rows);
        return html;
    }

    const ClassPage& page_;
    const ClassGrades& grades_;
    const ClassStatistics& counted_;
    std::string links_, sections_;
};

}  // namespace

std::string class_page(const ClassPage& page) { return Page(page).html(); }

std::string leaderboard_page(const std::string& course_title, const std::string& exercise,
                             const std::vector<LeaderboardEntry>& places) {
    std::vector<HtmlRow> rows;
    for (const LeaderboardEntry& one : places)
        rows.push_back({std::to_string(rows.size() + 1),
                        {html_text(one.pseudonym), fmt::format("{:.3g}", one.speedup),
                         one.copy_percent > 0 ? fmt::format("{:.0f} %", one.copy_percent) : ""}});
    return html_page({.title = course_title + ": leaderboard",
                      .body = fmt::format("<p>{}. Your own page says which name is yours; nobody else's does.</p>\n",
                                          html_text(exercise)) +
                              (rows.empty() ? "<p>No speed was measured yet.</p>\n"
                                            : html_table("Right answers, the fastest first",
                                                         {"place", "name", "speed-up", "of a copy's bandwidth"}, rows)),
                      .script = ""});
}

}  // namespace course
