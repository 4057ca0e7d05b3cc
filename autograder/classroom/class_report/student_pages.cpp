// SPDX-License-Identifier: MIT
#include "classroom/class_report/student_pages.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "classroom/class_report/html.hpp"
#include "classroom/class_report/report_command.hpp"
#include "classroom/class_report/student_view.hpp"
#include "manifest/manifest.hpp"
#include "report/terminal.hpp"

namespace course {

namespace {

std::vector<Misconception> known_misconceptions(const Kit& kit) {
    try {
        return read_misconceptions(kit.root);
    } catch (const ManifestError& error) {
        print_error(fmt::format("course: misconceptions stay without names: {}\n", error.what()));
        return {};
    }
}

}  // namespace

StudentPages::StudentPages(const Kit& kit, const ClassPolicy& policy, const ClassGrades& grades,
                           const std::string& results)
    : policy_(&policy),
      misconceptions_(known_misconceptions(kit)),
      now_(std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now())),
      code_(results) {
    if (!policy.leaderboard) return;
    std::vector<std::string> ids;
    for (const StudentGrade& one : grades.students) ids.push_back(one.student.id);
    names_ = course::pseudonyms(ids, pseudonym_key(std::filesystem::path(results) / "pseudonyms.key"));
}

StudentPageView StudentPages::view(const ClassGrades& grades, const StudentGrade& student) const {
    const auto name = names_.find(student.student.id);
    return view_student(grades, student,
                        {.policy = policy_,
                         .misconceptions = &misconceptions_,
                         .now = now_,
                         .pseudonym = name == names_.end() ? "" : name->second,
                         .code = &code_});
}

namespace {

std::string list_of(const std::vector<std::string>& lines) {
    if (lines.empty()) return "";
    std::string html = "<ul>\n";
    for (const std::string& line : lines) html += "<li>" + html_text(line) + "</li>\n";
    return html + "</ul>\n";
}

bool has_speed(const ExerciseView& exercise) {
    return std::any_of(exercise.tasks.begin(), exercise.tasks.end(),
                       [](const TaskView& task) { return !task.speed.empty(); });
}

std::string section(const ExerciseView& exercise) {
    std::string html = fmt::format("<h2>Exercise {}: {}</h2>\n<p><strong>{}</strong>: {}</p>\n", exercise.number,
                                   html_text(exercise.title), html_text(exercise.points), html_text(exercise.status));
    html += list_of(exercise.notes);
    if (!exercise.message.empty()) html += "<pre>" + html_text(exercise.message) + "</pre>\n";
    const bool with_speed = has_speed(exercise);
    std::vector<HtmlRow> rows;
    for (const TaskView& task : exercise.tasks) {
        rows.push_back({html_text(task.id + ": " + task.title), {html_text(task.status), html_text(task.points)}});
        if (with_speed) rows.back().cells.push_back(html_text(task.speed));
    }
    std::vector<std::string> columns = {"task", "verdict", "points"};
    if (with_speed) columns.emplace_back("speed-up over one CPU thread");
    if (!rows.empty()) html += html_table(fmt::format("Tasks of exercise {}", exercise.number), columns, rows);
    for (const TaskView& task : exercise.tasks) {
        if (task.texts.empty() && task.misconceptions.empty()) continue;
        html += fmt::format("<h3>{}</h3>\n", html_text(task.id));
        for (const TaskText& one : task.texts) html += "<pre>" + html_text(one.text) + "</pre>\n" + code_html(one.code);
        for (const Misconception* one : task.misconceptions)
            html += fmt::format("<p>Likely misconception: <strong>{}</strong>. {}</p>\n", html_text(one->name),
                                html_text(one->sentence));
    }
    if (exercise.attempts.size() > 1) html += "<h3>Attempts</h3>\n" + list_of(exercise.attempts);
    if (exercise.attempts.size() == 1) html += "<p class=\"faint\">" + html_text(exercise.attempts.front()) + "</p>\n";
    return html;
}

/// Text that Markdown shows unchanged: a code block whose fence doesn't occur in the text.
std::string block(const std::string& text) {
    std::string fence = "```";
    while (text.find(fence) != text.npos) fence += '`';
    return fence + "text\n" + text + (text.empty() || text.back() != '\n' ? "\n" : "") + fence + "\n\n";
}

/// A word or line with all Markdown syntax escaped.
std::string plain_markdown(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (std::string_view("\\`*_{}[]<>#|~!&").find(c) != std::string_view::npos) safe += '\\';
        safe += c == '\n' ? ' ' : c;
    }
    return safe;
}

}  // namespace

std::string student_page(const StudentPageView& view, const std::string& course_title) {
    const std::string id = view.id == view.name ? "" : fmt::format(" ({})", html_text(view.id));
    std::string body = fmt::format("<p>{}{}</p>\n<dl class=\"facts\"><div><dt>result</dt><dd>{}</dd></div>",
                                   html_text(view.name), id, html_text(view.points));
    if (!view.pseudonym.empty())
        body += fmt::format("<div><dt>you on the leaderboard</dt><dd>{}</dd></div>", html_text(view.pseudonym));
    if (!view.extended.empty())
        body += fmt::format("<div class=\"long\"><dt>your deadline</dt><dd>{}</dd></div>", html_text(view.extended));
    body += "</dl>\n";
    if (!view.problems.empty()) body += "<h2>What could not be taken</h2>\n" + list_of(view.problems);
    for (const ExerciseView& exercise : view.exercises) body += section(exercise);
    body += attempts_line(view.timed, view.deadline);
    return html_page({.title = course_title + ": your results", .body = body, .script = ""});
}

std::string feedback_markdown(const StudentPageView& view, const std::string& course_title) {
    std::string text = fmt::format("# {}: {}\n\n{}\n\n", plain_markdown(course_title), plain_markdown(view.name),
                                   plain_markdown(view.points));
    if (!view.extended.empty()) text += "Your deadline: " + plain_markdown(view.extended) + "\n\n";
    for (const std::string& problem : view.problems) text += "- " + plain_markdown(problem) + "\n";
    if (!view.problems.empty()) text += "\n";
    for (const ExerciseView& exercise : view.exercises) {
        text += fmt::format("## Exercise {}: {}\n\n**{}**: {}\n\n", exercise.number, plain_markdown(exercise.title),
                            plain_markdown(exercise.points), plain_markdown(exercise.status));
        for (const std::string& note : exercise.notes) text += "- " + plain_markdown(note) + "\n";
        if (!exercise.notes.empty()) text += "\n";
        if (!exercise.message.empty()) text += block(exercise.message);
        const bool with_speed = has_speed(exercise);
        if (!exercise.tasks.empty())
            text += with_speed ? "| task | verdict | points | speed-up over one CPU thread |\n|---|---|---|---|\n"
                               : "| task | verdict | points |\n|---|---|---|\n";
        for (const TaskView& task : exercise.tasks)
            text += fmt::format("| {} | {} | {} |{}\n", plain_markdown(task.id + ": " + task.title),
                                plain_markdown(task.status), plain_markdown(task.points),
                                with_speed ? " " + plain_markdown(task.speed) + " |" : "");
        if (!exercise.tasks.empty()) text += "\n";
        for (const TaskView& task : exercise.tasks) {
            if (task.texts.empty() && task.misconceptions.empty()) continue;
            text += fmt::format("### {}\n\n", plain_markdown(task.id));
            for (const TaskText& one : task.texts)
                text += block(one.text) + (one.code.empty() ? "" : block(code_text(one.code)));
            for (const Misconception* one : task.misconceptions)
                text += fmt::format("Likely misconception: **{}**. {}\n\n", plain_markdown(one->name),
                                    plain_markdown(one->sentence));
        }
        for (const std::string& attempt : exercise.attempts) text += "- " + plain_markdown(attempt) + "\n";
        if (!exercise.attempts.empty()) text += "\n";
    }
    return text;
}

}  // namespace course
