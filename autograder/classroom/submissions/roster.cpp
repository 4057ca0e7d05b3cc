// SPDX-License-Identifier: MIT
#include "classroom/submissions/roster.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/csv.hpp"
#include "classroom/submissions/formats/names.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace course {

namespace roster_key {
std::string id(std::string_view text) { return "id:" + lower_ascii(trimmed(text)); }
std::string login(std::string_view text) { return "login:" + lower_ascii(trimmed(text)); }
std::string email(std::string_view text) { return "email:" + lower_ascii(trimmed(text)); }
std::string name(std::string_view text) { return "name:" + folded_name(text); }
std::string participant(std::string_view number) { return "participant:" + std::string(number); }
std::string canvas(std::string_view number) { return "canvas:" + std::string(number); }
}  // namespace roster_key

namespace {

/// The meaning of a column.
enum class Column {
    id, sis_id, login, github, participant, canvas, name, given, family, email, group, submitted, status
};

std::optional<Column> column_of(const std::string& header, bool is_canvas, bool is_github) {
    static const std::map<std::string, Column> columns = {{"id", Column::id},
                                                          {"studentid", Column::id},
                                                          {"sid", Column::id},
                                                          {"idnumber", Column::id},
                                                          {"studentnumber", Column::id},
                                                          {"matriculationnumber", Column::id},
                                                          {"sisuserid", Column::sis_id},
                                                          {"sisloginid", Column::login},
                                                          {"username", Column::login},
                                                          {"login", Column::login},
                                                          {"githubusername", Column::github},
                                                          {"identifier", Column::participant},
                                                          {"name", Column::name},
                                                          {"fullname", Column::name},
                                                          {"student", Column::name},
                                                          {"studentname", Column::name},
                                                          {"firstname", Column::given},
                                                          {"givenname", Column::given},
                                                          {"lastname", Column::family},
                                                          {"surname", Column::family},
                                                          {"familyname", Column::family},
                                                          {"email", Column::email},
                                                          {"emailaddress", Column::email},
                                                          {"mail", Column::email},
                                                          {"group", Column::group},
                                                          {"groups", Column::group},
                                                          {"groupname", Column::group},
                                                          {"team", Column::group},
                                                          {"lastmodifiedsubmission", Column::submitted},
                                                          {"submitted", Column::submitted},
                                                          {"submittedat", Column::submitted},
                                                          {"submissiontime", Column::submitted},
                                                          {"status", Column::status}};
    const auto found = columns.find(folded_name(header));
    if (found == columns.end()) return std::nullopt;
    if (found->second == Column::id && is_canvas && folded_name(header) == "id") return Column::canvas;
    if (found->second == Column::participant && is_github) return Column::id;
    return found->second;
}

using Cells = std::map<Column, std::string>;

const std::string& cell(const Cells& cells, Column column) {
    static const std::string none;
    const auto found = cells.find(column);
    return found == cells.end() ? none : found->second;
}

/// "Participant 12345" -> "12345", in any language.
std::string last_number(const std::string& text) {
    std::size_t begin = text.size();
    while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
    return text.substr(begin);
}

/// The date in Moodle's "No submission - Extension granted until: Friday, 30 October 2026, 11:59 PM".
std::optional<std::string> extension_in(const std::string& status) {
    static constexpr std::string_view granted = "extension granted until";
    const std::size_t at = lower_ascii(status).find(granted);
    if (at == status.npos) return std::nullopt;
    std::string_view date = std::string_view(status).substr(at + granted.size());
    date = date.substr(0, date.find(" - "));
    if (date.starts_with(':')) date.remove_prefix(1);
    return std::string(trimmed(date));
}

/// True for Canvas' row of maximum points, and for its test student.
bool is_nobody(const Cells& cells, bool is_canvas) {
    const std::string name = folded_name(cell(cells, Column::name));
    if (!is_canvas) return false;
    if (name.starts_with("pointspossible")) return true;
    if ((name == "teststudent" || name == "studenttest") && cell(cells, Column::sis_id).empty()) return true;
    return cell(cells, Column::canvas).empty() && cell(cells, Column::sis_id).empty() &&
           cell(cells, Column::login).empty();
}

std::string full_name(const Cells& cells) {
    if (const std::string& name = cell(cells, Column::name); !name.empty()) {
        // "Lovelace, Ada"
        const std::size_t comma = name.find(',');
        if (comma == name.npos || name.find(',', comma + 1) != name.npos) return name;
        return fmt::format("{} {}", trimmed(std::string_view(name).substr(comma + 1)), name.substr(0, comma));
    }
    return std::string(trimmed(cell(cells, Column::given) + " " + cell(cells, Column::family)));
}

std::vector<std::string> keys_of(const Cells& cells) {
    std::vector<std::string> keys;
    const auto add = [&](Column column, auto key) {
        if (const std::string& text = cell(cells, column); !text.empty()) keys.push_back(key(text));
    };
    add(Column::id, roster_key::id);
    add(Column::sis_id, roster_key::id);
    add(Column::login, roster_key::login);
    add(Column::github, roster_key::login);
    add(Column::email, roster_key::email);
    add(Column::canvas, roster_key::canvas);
    add(Column::participant, roster_key::id);
    if (const std::string number = last_number(cell(cells, Column::participant)); !number.empty())
        keys.push_back(roster_key::participant(number));
    const std::string name = full_name(cells);
    if (!name.empty()) keys.push_back(roster_key::name(name));
    // Canvas sorts by family name: "lovelaceada".
    std::string given = cell(cells, Column::given), family = cell(cells, Column::family);
    if (given.empty() && family.empty()) {
        const std::string& written = cell(cells, Column::name);
        const std::size_t comma = written.find(','), blank = name.rfind(' ');
        family = comma != written.npos ? written.substr(0, comma) : blank != name.npos ? name.substr(blank + 1) : "";
        given = comma != written.npos ? written.substr(comma + 1) : blank != name.npos ? name.substr(0, blank) : "";
    }
    if (!given.empty() && !family.empty()) keys.push_back(roster_key::name(family + given));
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
}

}  // namespace

Roster::Roster(std::string_view csv, const std::string& shown) : shown_(shown) {
    CsvTable table = read_csv(csv);
    for (const std::string& problem : table.problems) problems_.push_back(fmt::format("{} {}", shown, problem));
    if (table.rows.empty()) throw IntakeError(fmt::format("the roster {} has no rows", shown));
    std::vector<std::string> headers = table.rows.front().cells;
    const auto has = [&](std::string_view name) {
        return std::any_of(headers.begin(), headers.end(), [&](const auto& one) { return folded_name(one) == name; });
    };
    const bool is_canvas = has("sisuserid") || has("sisloginid"), is_github = has("githubusername");
    std::vector<std::optional<Column>> columns;
    for (const std::string& header : headers) columns.push_back(column_of(header, is_canvas, is_github));

    std::vector<std::pair<std::size_t, Cells>> students;
    for (std::size_t k = 1; k < table.rows.size(); ++k) {
        const CsvRow& row = table.rows[k];
        Cells cells;
        for (std::size_t j = 0; j < std::min(row.cells.size(), columns.size()); ++j)
            if (columns[j] && !cells.contains(*columns[j])) cells[*columns[j]] = plain_line(trimmed(row.cells[j]));
        if (row.cells.size() > columns.size())
            problems_.push_back(fmt::format("{} line {} has {} cells, and the first line names {} columns: look at it.",
                                            shown, row.line, row.cells.size(), columns.size()));
        if (!is_nobody(cells, is_canvas)) students.emplace_back(row.line, std::move(cells));
    }
    // The first column in which every row has a value is the ID.
    std::optional<Column> who;
    for (const Column column : {Column::id, Column::sis_id, Column::github, Column::login, Column::participant,
                                Column::canvas, Column::email, Column::name}) {
        const bool named = std::find(columns.begin(), columns.end(), column) != columns.end();
        if (named && std::none_of(students.begin(), students.end(),
                                  [&](const auto& one) { return cell(one.second, column).empty(); })) {
            who = column;
            break;
        }
    }
    if (!who)
        throw IntakeError(
            fmt::format("the roster {} has no column in which each student has an ID: its first line must "
                        "name one of id, username, email, name",
                        shown));
    std::vector<WarningOn> extended;
    for (const auto& [line, cells] : students) {
        RosterRow row;
        row.student = {cell(cells, *who), full_name(cells), cell(cells, Column::email), cell(cells, Column::group),
                       cell(cells, Column::canvas)};
        row.keys = keys_of(cells);
        if (const std::string& stamp = cell(cells, Column::submitted); !stamp.empty() && stamp != "-") {
            row.submitted = parse_stamp(stamp);
            has_local_times_ = has_local_times_ || (row.submitted && !names_zone(stamp));
            if (!row.submitted)
                problems_.push_back(
                    fmt::format("{} line {}: \"{}\" isn't a time that the kit can read. Export it with "
                                "Moodle's language set to English, or write 2026-11-23T18:00:00Z.",
                                shown, line, stamp));
        }
        if (const std::optional<std::string> date = extension_in(cell(cells, Column::status))) {
            row.student.extended_until = parse_stamp(*date);
            has_local_times_ = has_local_times_ || (row.student.extended_until && !names_zone(*date));
            if (row.student.extended_until)
                extended.push_back({.who = row.student.id,
                                    .what = fmt::format("has an extension in Moodle until {}", *date),
                                    .between = " "});
            else
                problems_.push_back(
                    fmt::format("{} line {}: {} has an extension in Moodle until \"{}\", a time that the kit can't "
                                "read: give it in class.toml, under [[student]]",
                                shown, line, row.student.id, *date));
        }
        add(std::move(row), line);
    }
    for (std::string& line : warning_lines(extended)) problems_.push_back(std::move(line));
    if (has_local_times_ && zone_of_environment().empty())
        problems_.push_back(
            fmt::format("{}: its times name no time zone, and were read as this machine's ({}): say "
                        "TZ=Europe/Berlin course grade ... if they are another's",
                        shown, zone_of_machine()));
}

void Roster::add(RosterRow row, std::size_t line) {
    if (!own_ids_.emplace(roster_key::id(row.student.id), rows_.size()).second) {
        problems_.push_back(
            fmt::format("{} line {}: {} is on the roster twice; the first line counts", shown_, line, row.student.id));
        return;
    }
    for (const std::string& key : row.keys) {
        const auto [found, is_new] = by_key_.emplace(key, rows_.size());
        if (is_new) continue;
        found->second = several_;
        // Namesakes are no mistake; two with one address are.
        for (const auto& [kind, what] : {std::pair("email:", "email address"), std::pair("login:", "user name"),
                                         std::pair("canvas:", "number in Canvas")})
            if (key.starts_with(kind))
                problems_.push_back(
                    fmt::format("{} line {}: {} has another student's {}, {}: neither is found by it; "
                                "correct the roster",
                                shown_, line, row.student.id, what, key.substr(std::string_view(kind).size())));
    }
    if (!row.student.group.empty()) by_group_[row.student.group].push_back(rows_.size());
    rows_.push_back(std::move(row));
}

Roster::Found Roster::find(const std::vector<std::string>& keys) const {
    bool several = false;
    for (const std::string& key : keys) {
        // A student's own ID takes precedence over other students' numbers.
        if (const auto own = own_ids_.find(key); own != own_ids_.end()) return {&rows_[own->second], false};
        const auto found = by_key_.find(key);
        if (found == by_key_.end()) continue;
        if (found->second != several_) return {&rows_[found->second], false};
        several = true;
    }
    return {nullptr, several};
}

std::vector<const RosterRow*> Roster::group(std::string_view name) const {
    std::vector<const RosterRow*> members;
    if (const auto found = by_group_.find(std::string(name)); found != by_group_.end())
        for (const std::size_t k : found->second) members.push_back(&rows_[k]);
    return members;
}

Roster kept_roster(const std::filesystem::path& results) {
    const std::filesystem::path file = results / "roster.csv";
    if (!std::filesystem::exists(file)) return {};
    try {
        return {read_file(file, max_roster_bytes), file.string()};
    } catch (const std::exception&) {  // changed since: students have fewer names
        return {};
    }
}

std::vector<std::string> students_named(const ClassIntake& intake, const Roster& roster, std::string_view text) {
    const std::string word(trimmed(text)), folded = folded_name(word);
    if (word.empty()) return {};
    std::vector<std::string> keys = {roster_key::id(word), roster_key::login(word), roster_key::email(word)};
    if (word.find_first_not_of("0123456789") == word.npos) {
        keys.push_back(roster_key::participant(word));
        keys.push_back(roster_key::canvas(word));
    }
    // By id, as `course grade` prints it, by another of its keys, by name.
    std::array<std::set<std::string>, 4> found;
    for (const ClassStudent& one : intake.roster) {
        if (one.id == word) found[0].insert(one.id);
        if (fmt::format("{} ({})", one.name, one.id) == word) found[1].insert(one.id);
        if (lower_ascii(one.email) == lower_ascii(word) || one.canvas == word) found[2].insert(one.id);
        if (!folded.empty() && folded_name(one.name) == folded) found[3].insert(one.id);
    }
    for (const RosterRow& row : roster.rows())
        if (std::any_of(keys.begin(), keys.end(), [&](const std::string& key) {
                return std::find(row.keys.begin(), row.keys.end(), key) != row.keys.end();
            }))
            found[2].insert(row.student.id);
    for (const ClassSubmission& one : intake.submissions) {
        if (one.student == word) found[0].insert(word);
        if (std::find(one.members.begin(), one.members.end(), word) != one.members.end()) found[0].insert(word);
        if (one.id == word || one.id == fmt::format("{}-{}", word, one.attempt)) found[1].insert(one.student);
        if (one.lms_name && one.lms_name->number == word) found[2].insert(one.student);
        if (one.lms_name && !folded.empty() && folded_name(one.lms_name->who) == folded) found[3].insert(one.student);
    }
    for (const std::set<std::string>& ids : found)
        if (!ids.empty()) return {ids.begin(), ids.end()};
    return {};
}

std::string one_of_students(const std::vector<std::string>& ids) {
    constexpr std::size_t max_ids = 10;
    const std::vector<std::string> shown(ids.begin(), ids.begin() + static_cast<long>(std::min(ids.size(), max_ids)));
    return fmt::format(" is one of {} students: {}{}; give the ID", ids.size(),
                       plain_line(fmt::format("{}", fmt::join(shown, ", "))), ids.size() > max_ids ? ", ..." : "");
}

std::string near_student(const ClassIntake& intake, std::string_view text) {
    std::set<std::string_view> names;
    for (const ClassStudent& one : intake.roster) names.insert({one.id, one.email, one.name});
    for (const ClassSubmission& one : intake.submissions) names.insert(one.members.begin(), one.members.end());
    names.erase("");
    const std::string near = closest_match(text, {names.begin(), names.end()});
    return near.empty() ? "" : fmt::format("; did you mean \"{}\"?", plain_line(near));
}

}  // namespace course
