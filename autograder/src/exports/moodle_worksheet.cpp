// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "exports/csv.hpp"
#include "exports/exports.hpp"
#include "kit/kit.hpp"
#include "support/plain_text.hpp"

namespace course {

namespace {

std::string lower(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

/// The worksheet's columns, by the names that Moodle gives them in English.
class Columns {
public:
    explicit Columns(const std::vector<CsvCell>& head) {
        for (std::size_t k = 0; k < head.size(); ++k) index_.emplace(head[k].text, k);
        for (const char* name : {"Identifier", "Grade", "Last modified (grade)"})
            if (!index_.contains(name))
                throw std::runtime_error(
                    fmt::format("it has no column \"{}\": download it from the assignment (\"Download grading "
                                "worksheet\") with Moodle set to English",
                                name));
    }
    [[nodiscard]] bool has(const char* name) const { return index_.contains(name); }
    [[nodiscard]] std::size_t of(const char* name) const { return index_.at(name); }
    [[nodiscard]] std::string text(const std::vector<CsvCell>& row, const char* name) const {
        const auto at = index_.find(name);
        return at == index_.end() || at->second >= row.size() ? "" : row[at->second].text;
    }

private:
    std::map<std::string, std::size_t> index_;
};

/// Finds the student that a row is about: by ID number, email, the participant's number, or a name that only one has.
class Finder {
public:
    explicit Finder(const ClassGrades& grades) {
        for (const StudentGrade& one : grades.students) {
            by_[0].emplace(one.student.id, &one);
            if (!one.student.email.empty()) by_[1].emplace(lower(one.student.email), &one);
            if (const auto [at, is_new] = by_[2].emplace(lower(one.student.name), &one); !is_new) at->second = nullptr;
        }
    }
    [[nodiscard]] const StudentGrade* find(const Columns& columns, const std::vector<CsvCell>& row) const {
        const std::string participant = columns.text(row, "Identifier");
        const std::size_t space = participant.rfind(' ');
        for (const auto& [map, key] :
             {std::pair(0, columns.text(row, "ID number")), std::pair(1, lower(columns.text(row, "Email address"))),
              std::pair(0, columns.text(row, "Username")), std::pair(0, participant),
              std::pair(0, space == participant.npos ? "" : participant.substr(space + 1)),
              std::pair(2, lower(columns.text(row, "Full name")))}) {
            if (key.empty()) continue;
            const auto at = by_[map].find(key);
            if (at != by_[map].end() && at->second) return at->second;
        }
        return nullptr;
    }

private:
    std::map<std::string, const StudentGrade*> by_[3];  // by ID, email, name
};

std::string escaped_html(std::string_view text) {
    std::string html;
    for (const char c : text)
        html += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '\n' ? "<br>" : std::string(1, c);
    return html;
}

struct Points {
    std::optional<double> points;  ///< none: not graded
    double most = 0;
};

Points points_of(const ClassGrades& grades, const StudentGrade& student, std::optional<int> exercise) {
    if (!exercise) return {student.complete ? std::optional(student.points) : std::nullopt, grades.max_points};
    for (std::size_t k = 0; k < grades.exercises.size(); ++k)
        if (grades.exercises[k].number == *exercise) {
            const ExerciseGrade& grade = student.exercises[k];
            const bool graded = grade.standing != Standing::not_graded;
            return {graded ? std::optional(grade.points) : std::nullopt, grade.max_points};
        }
    throw UsageError(fmt::format("exercise {} isn't among those that count", *exercise));
}

/// The maximum that the worksheet has for this row, which Moodle's import enforces; none if it doesn't say.
std::optional<double> maximum(const Columns& columns, const std::vector<CsvCell>& row) {
    std::string text = columns.text(row, "Maximum grade");
    std::replace(text.begin(), text.end(), ',', '.');
    double value = 0;
    if (std::sscanf(text.c_str(), "%lf", &value) != 1 || !(value > 0)) return {};
    return value;
}

}  // namespace

Export moodle_worksheet(const ClassGrades& grades, std::optional<int> exercise, std::string_view worksheet) {
    const std::vector<std::vector<CsvCell>> rows = csv_cells(worksheet);
    if (rows.empty()) throw std::runtime_error("it is empty");
    const Columns columns(rows[0]);
    const Finder finder(grades);
    Export made;
    std::size_t copied = 0;
    const auto put = [&](const CsvCell& cell, const std::string& text) {
        made.text += worksheet.substr(copied, cell.begin - copied);
        made.text += csv_cell(text);
        copied = cell.end;
    };
    for (std::size_t k = 1; k < rows.size(); ++k) {
        const std::vector<CsvCell>& row = rows[k];
        const std::string who = plain_line(columns.text(row, "Identifier"));
        if (row.size() != rows[0].size())
            throw std::runtime_error(
                fmt::format("row {} ({}) has {} cells, and the first row {}", k + 1, who, row.size(), rows[0].size()));
        const StudentGrade* student = finder.find(columns, row);
        if (!student) {
            made.notes.push_back(who + ": no student of the results; the row stays as it is");
            continue;
        }
        if (lower(columns.text(row, "Grade can be changed")) == "no") {
            made.notes.push_back(who + ": its grade can't be changed in Moodle; the row stays as it is");
            continue;
        }
        const Points points = points_of(grades, *student, exercise);
        if (!points.points) {
            made.notes.push_back(who + ": not graded; the row stays as it is");
            continue;
        }
        const double most = std::min(points.most, maximum(columns, row).value_or(points.most));
        if (most < points.most)
            made.notes.push_back(
                fmt::format("{}: Moodle's maximum is {}, the course's {}: set it there, or weigh the "
                            "exercises in class.toml",
                            who, points_text(most), points_text(points.most)));
        std::vector<std::pair<std::size_t, std::string>> cells = {
            {columns.of("Grade"), points_text(std::min(*points.points, most))}};
        if (columns.has("Feedback comments"))
            cells.emplace_back(columns.of("Feedback comments"),
                               escaped_html(short_feedback(grades, *student, exercise)));
        std::sort(cells.begin(), cells.end());
        for (const auto& [column, text] : cells) put(row[column], text);
    }
    made.text += worksheet.substr(copied);
    return made;
}

}  // namespace course
