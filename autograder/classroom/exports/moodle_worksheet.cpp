// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "classroom/exports/csv.hpp"
#include "classroom/exports/exports.hpp"
#include "support/csv.hpp"
#include "kit/kit.hpp"
#include "support/text.hpp"

namespace course {

namespace {

std::string lower(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

/// The worksheet's columns, by Moodle's English names.
class Columns {
public:
    explicit Columns(const std::vector<CsvCell>& head) {
        for (std::size_t k = 0; k < head.size(); ++k) index_.emplace(lower(head[k].text), k);
        for (const char* name : {"Identifier", "Grade", "Maximum grade", "Last modified (grade)"})
            if (!has(name))
                throw std::runtime_error(
                    fmt::format("it has no column \"{}\": download it from the assignment (\"Download grading "
                                "worksheet\") with Moodle set to English",
                                name));
    }
    [[nodiscard]] bool has(const char* name) const { return index_.contains(lower(name)); }
    [[nodiscard]] std::size_t of(const char* name) const { return index_.at(lower(name)); }
    [[nodiscard]] std::string text(const std::vector<CsvCell>& row, const char* name) const {
        const auto at = index_.find(lower(name));
        return at == index_.end() || at->second >= row.size() ? "" : row[at->second].text;
    }

private:
    std::map<std::string, std::size_t> index_;  // in lower case: older versions write "Maximum Grade"
};

/// Finds the student that a row is about: by ID number, the participant's number, or an email or a name that only one
/// has.
class Finder {
public:
    explicit Finder(const ClassGrades& grades) {
        for (const StudentGrade& one : grades.students) {
            by_[0].emplace(one.student.id, &one);
            for (const auto& [map, key] :
                 {std::pair(1, lower(one.student.email)), std::pair(2, lower(one.student.name))})
                if (const auto [at, is_new] = by_[map].emplace(key, &one); !is_new) at->second = nullptr;
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

/// The student's points, scaled to `possible`; nothing: not graded, or exempt.
std::optional<double> points_of(const StudentGrade& student, std::optional<std::size_t> exercise, double possible) {
    if (!exercise)
        return student.complete && !student.is_exempt_of_all() ? std::optional(student.points_of(possible))
                                                               : std::nullopt;
    const ExerciseGrade& grade = student.exercises[*exercise];
    return grade.has_points() ? std::optional(grade.points) : std::nullopt;
}

bool is_exempt(const StudentGrade& student, std::optional<std::size_t> exercise) {
    return exercise ? student.exercises[*exercise].standing == Standing::exempt : student.is_exempt_of_all();
}

/// The assignment's maximum grade in Moodle according to this row; `who` names the row.
/// @throws std::runtime_error if it isn't a number above 0: a point's value in Moodle is then unknown.
double maximum_of(const Columns& columns, const std::vector<CsvCell>& row, const std::string& who) {
    const std::string said = columns.text(row, "Maximum grade");
    std::string text(trimmed(said));
    std::replace(text.begin(), text.end(), ',', '.');
    const auto value = number_from<double>(text);
    if (!value || !std::isfinite(*value) || *value <= 0)
        throw std::runtime_error(fmt::format(
            "{}: its maximum grade is {}, and must be a number above 0, to which points are scaled: give the "
            "assignment a maximum grade in Moodle, and download the worksheet again",
            who, said.empty() ? "missing" : "\"" + plain_line(said.substr(0, 40)) + "\""));
    return *value;
}

/// Collects the maxima that points were scaled by, for a line that says how.
class Scaling {
public:
    explicit Scaling(double possible) : possible_(possible) {}

    double grade(double points, double maximum) {
        const double counted = std::min(points, possible_), scaled = counted / possible_ * maximum;
        if (std::abs(maximum - possible_) < 1e-9) return counted;
        const auto [example, is_new] = examples_.try_emplace(maximum, counted, scaled);
        if (example->second.first <= 0) example->second = {counted, scaled};  // 0 points show nothing
        return scaled;
    }

    void note(std::vector<WarningOn>& notes) const {
        for (const auto& [maximum, first] : examples_) {
            const auto example = first.first > 0 ? first : std::pair(possible_, maximum);
            notes.push_back(
                {"", fmt::format("grades are scaled to Moodle's maximum: points / {} x {} ({} of {} points "
                                 "become {} of {})",
                                 points_text(possible_), points_text(maximum), points_text(example.first),
                                 points_text(possible_), points_text(example.second), points_text(maximum))});
        }
    }

private:
    double possible_;
    std::map<double, std::pair<double, double>> examples_;  // by maximum: points, and their scaled value
};

/// The rows that aren't empty.
/// @throws std::runtime_error for a quote that never ends, and for a file without any separator
std::vector<std::vector<CsvCell>> rows_of(std::string_view worksheet) {
    CsvCells read = csv_cells(worksheet);
    if (read.open_quote != 0)
        throw std::runtime_error(fmt::format("line {}: a quote that never ends", read.open_quote));
    std::vector<std::vector<CsvCell>> rows;
    for (auto& [line, cells] : read.rows)
        if (cells.size() > 1 || !cells[0].text.empty()) rows.push_back(std::move(cells));
    if (!rows.empty() && rows[0].size() == 1)
        throw std::runtime_error(
            "its first line has one cell; save it as CSV that is separated by commas, semicolons or tabs");
    return rows;
}

}  // namespace

Export moodle_worksheet(const ClassGrades& grades, std::optional<int> exercise, std::string_view worksheet) {
    const std::vector<std::vector<CsvCell>> rows = rows_of(worksheet);
    if (rows.empty()) throw std::runtime_error("it is empty");
    const Columns columns(rows[0]);
    const Finder finder(grades);
    const std::vector<std::size_t> chosen = exported_exercises(grades, exercise);
    const std::optional<std::size_t> index = exercise ? std::optional(chosen.front()) : std::nullopt;
    const double possible = index ? grades.exercises[*index].max_points : grades.max_points;
    if (!(possible > 0))
        throw UsageError("no points are possible: nobody's answer is graded, and class.toml gives the exercises none");
    Scaling scaling(possible);
    std::set<const StudentGrade*> in_worksheet;
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
        const double maximum = maximum_of(columns, row, fmt::format("row {} ({})", k + 1, who));
        const StudentGrade* student = finder.find(columns, row);
        if (!student) {
            made.notes.push_back({who, "no student of the results; the row stays as it is"});
            continue;
        }
        if (!in_worksheet.insert(student).second) {
            made.notes.push_back({who, fmt::format("a second row of {}; the row stays as it is", student->student.id)});
            continue;
        }
        if (lower(columns.text(row, "Grade can be changed")) == "no") {
            made.notes.push_back({who, "its grade can't be changed in Moodle; the row stays as it is"});
            continue;
        }
        const std::optional<double> points = points_of(*student, index, possible);
        if (!points) {
            made.notes.push_back({who, is_exempt(*student, index) ? "exempt; the row stays as it is"
                                                                  : "not graded; the row stays as it is"});
            continue;
        }
        std::vector<std::pair<std::size_t, std::string>> cells = {
            {columns.of("Grade"), points_text(scaling.grade(*points, maximum))}};
        if (columns.has("Feedback comments"))
            cells.emplace_back(columns.of("Feedback comments"),
                               html_lines(short_feedback(grades, *student, exercise)));
        std::sort(cells.begin(), cells.end());
        for (const auto& [column, text] : cells) put(row[column], text);
    }
    made.text += worksheet.substr(copied);
    for (const StudentGrade& one : grades.students)
        if (!in_worksheet.contains(&one))
            made.notes.push_back({one.student.id,
                                  "has no row in the worksheet, so the points go nowhere: download it for all "
                                  "participants, or give the points in Moodle",
                                  " "});
    scaling.note(made.notes);
    return made;
}

}  // namespace course
