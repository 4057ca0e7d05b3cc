// SPDX-License-Identifier: MIT
#include "classroom/grades/extensions.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "support/csv.hpp"
#include "classroom/submissions/formats/names.hpp"
#include "manifest/manifest.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace course {

namespace {

constexpr std::size_t max_bytes = std::size_t{16} << 20;

[[noreturn]] void fail(const std::string& place, const std::string& message) {
    throw ManifestError(fmt::format("{}: {}", place, message));
}

/// A date and time as in class.toml; a blank may replace the T, and seconds may be missing.
/// @param column its name in messages
std::chrono::sys_seconds time_of(const std::string& cell, const char* column, const std::string& place,
                                 const std::optional<TimeZone>& zone) {
    const auto wrong = [&]() {
        fail(place, fmt::format("\"{}\" is \"{}\"; expected a date and time, as in 2026-12-05T23:59", column, cell));
    };
    if (cell.size() < 16 || cell.size() > 25 || cell.find_first_not_of("0123456789-:+TtZz ") != cell.npos) wrong();
    std::string text = cell;
    if (text.size() == 16 || text[16] != ':') text.insert(16, ":00");
    toml::date_time value;
    try {
        const toml::table table = toml::parse("time = " + text);
        if (!table["time"].is_date_time()) wrong();
        value = *table["time"].value<toml::date_time>();
    } catch (const toml::parse_error&) {
        wrong();
    }
    const LocalTime local{value.date.year, value.date.month,  value.date.day,
                          value.time.hour, value.time.minute, value.time.second};
    if (value.offset) return *TimeZone("UTC").to_utc(local) - std::chrono::minutes(value.offset->minutes);
    if (!zone)
        fail(place, fmt::format("\"{}\" is \"{}\" and says no time zone: class.toml has no time_zone, so add an "
                                "offset, as in 2026-12-05T23:59+01:00",
                                column, cell));
    const std::optional<std::chrono::sys_seconds> time = zone->to_utc(local);
    if (!time)
        fail(place, fmt::format("\"{}\" is \"{}\", an hour that {} leaves out in spring", column, cell, zone->name()));
    return *time;
}

std::vector<int> numbers_of(std::string cell, const char* column, const std::string& place) {
    for (char& c : cell)
        if (c == ',' || c == ';') c = ' ';
    std::vector<int> numbers;
    for (const std::string& word : split(cell, ' ')) {
        if (trimmed(word).empty()) continue;
        const auto number = number_from<int>(word);
        if (!number || *number < 1 || *number > 99)
            fail(place, fmt::format("\"{}\" has \"{}\"; expected exercises' numbers with a blank between them, as in "
                                    "8 12",
                                    column, word));
        numbers.push_back(*number);
    }
    return numbers;
}

/// The meaning of the columns. Others, such as a name or a reason, are ignored.
struct Columns {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::size_t id = none, email = none, deadline = none, last_acceptance = none, exercises = none, exempt = none;
};

Columns columns_of(const CsvRow& head, const std::string& shown) {
    Columns columns;
    const std::vector<std::pair<std::string_view, std::size_t Columns::*>> known = {
        {"id", &Columns::id},
        {"studentid", &Columns::id},
        {"idnumber", &Columns::id},
        {"email", &Columns::email},
        {"emailaddress", &Columns::email},
        {"deadline", &Columns::deadline},
        {"lastacceptance", &Columns::last_acceptance},
        {"exercises", &Columns::exercises},
        {"exercise", &Columns::exercises},
        {"exempt", &Columns::exempt}};
    std::vector<std::string_view> names;
    for (const auto& [name, member] : known)
        if (name.size() > 3) names.push_back(name);
    for (std::size_t k = 0; k < head.cells.size(); ++k) {
        const std::string name = folded_name(head.cells[k]);
        const auto at = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.first == name; });
        if (at == known.end()) {
            if (const std::string near = closest_match(name, names); !near.empty())
                fail(fmt::format("{}:{}", shown, head.line),
                     fmt::format("unknown column \"{}\"; did you mean \"{}\"?", plain_line(head.cells[k]),
                                 near == "lastacceptance" ? "last_acceptance" : near));
        } else if (columns.*(at->second) == Columns::none) {
            columns.*(at->second) = k;
        }
    }
    if (columns.id == Columns::none && columns.email == Columns::none)
        fail(fmt::format("{}:{}", shown, head.line),
             "no column says who: the first line must name \"id\" or \"email\", and any of deadline, "
             "last_acceptance, exercises, exempt");
    return columns;
}

bool has(const std::vector<int>& numbers, int number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

/// Throws for two deadlines of one student for the same exercises: it is unknown which was meant.
void refuse_two_deadlines(const std::string& student, const Extension& one, const Extension& other) {
    if ((!one.deadline && !one.last_acceptance) || (!other.deadline && !other.last_acceptance)) return;
    const auto both = std::find_if(one.exercises.begin(), one.exercises.end(),
                                   [&](int number) { return has(other.exercises, number); });
    if (one.exercises.empty() != other.exercises.empty() || (both == one.exercises.end() && !one.exercises.empty()))
        return;
    fail(other.place,
         fmt::format("\"{}\" has a deadline for {} already, in {}", student,
                     one.exercises.empty() ? "all exercises" : fmt::format("exercise {}", *both), one.place));
}

/// Why the extension's deadline changes nothing for any of its exercises; empty: it changes something.
std::string without_effect(const ClassPolicy& policy, const Extension& one) {
    if (!one.deadline) return "";
    std::vector<std::optional<std::chrono::sys_seconds>> classes;
    for (const int number : one.exercises) classes.push_back(policy.of(number).deadline);
    if (one.exercises.empty()) {
        classes.push_back(policy.deadline);
        for (const ExercisePolicy& own : policy.own) classes.push_back(policy.of(own.number).deadline);
    }
    std::optional<std::chrono::sys_seconds> first;
    for (const auto& deadline : classes)
        if (deadline && (!first || *deadline < *first)) first = deadline;
    if (!first) return "the class has no deadline, so nothing is late";
    if (*one.deadline < *first)
        return fmt::format("it is earlier than the class's, {}, which counts", policy.time_zone.text(*first));
    return "";
}

/// Adds an extension granted in the LMS, unless class.toml gives the student another one for all exercises.
void add_extension_of_lms(ClassPolicy& policy, const ClassStudent& student,
                          std::multimap<std::string, Extension>& bound) {
    Extension granted{.student = student.id,
                      .place = "the roster",
                      .exercises = {},
                      .deadline = student.extended_until,
                      .last_acceptance = {},
                      .exempt = {}};
    const auto [begin, end] = bound.equal_range(student.id);
    const auto own = std::find_if(begin, end, [](const auto& one) {
        return one.second.exercises.empty() && (one.second.deadline || one.second.last_acceptance);
    });
    const std::string what = fmt::format("{}: the extension of {} until {}", granted.place, plain_line(student.id),
                                         policy.time_zone.text(*granted.deadline));
    if (own != end && own->second.deadline) {
        if (own->second.deadline != granted.deadline)
            policy.warnings.push_back(fmt::format("{} doesn't count: {} gives the student {}", what, own->second.place,
                                                  policy.time_zone.text(*own->second.deadline)));
        return;
    }
    if (const std::string why = without_effect(policy, granted); !why.empty() && policy.deadline)
        policy.warnings.push_back(fmt::format("{} changes nothing: {}", what, why));
    if (own != end)
        own->second.deadline = granted.deadline;
    else
        bound.emplace(student.id, std::move(granted));
}

}  // namespace

std::vector<Extension> read_extensions(const std::filesystem::path& path, const std::optional<TimeZone>& zone) {
    const std::string shown = path.string();
    const std::string text = read_file(path, max_bytes);
    if (text.size() > max_bytes) throw ManifestError(fmt::format("{}: it has more than 16 MiB", shown));
    const CsvTable table = read_csv(text);
    if (table.rows.empty())
        throw ManifestError(fmt::format("{}: it is empty; its first line names the columns", shown));
    const Columns columns = columns_of(table.rows.front(), shown);
    std::vector<Extension> read;
    for (std::size_t k = 1; k < table.rows.size(); ++k) {
        const CsvRow& row = table.rows[k];
        const auto cell = [&](std::size_t column) {
            return column < row.cells.size() ? plain_line(trimmed(row.cells[column])) : std::string();
        };
        Extension one{.student = cell(columns.id),
                      .place = fmt::format("{}:{}", shown, row.line),
                      .exercises = {},
                      .deadline = {},
                      .last_acceptance = {},
                      .exempt = numbers_of(cell(columns.exempt), "exempt", fmt::format("{}:{}", shown, row.line))};
        if (one.student.empty()) one.student = cell(columns.email);
        if (const std::string time = cell(columns.deadline); !time.empty())
            one.deadline = time_of(time, "deadline", one.place, zone);
        if (const std::string time = cell(columns.last_acceptance); !time.empty())
            one.last_acceptance = time_of(time, "last_acceptance", one.place, zone);
        if (!one.deadline && !one.last_acceptance && one.exempt.empty()) continue;  // e.g. in a list of the whole class
        if (one.student.empty()) fail(one.place, "nobody's id is in this row");
        one.exercises = numbers_of(cell(columns.exercises), "exercises", one.place);
        read.push_back(std::move(one));
    }
    return read;
}

void check_exercises(const ClassPolicy& policy) {
    if (policy.exercises.empty()) return;
    for (const auto& [student, one] : policy.extensions)
        for (const std::vector<int>* numbers : {&one.exercises, &one.exempt})
            for (const int number : *numbers)
                if (!has(policy.exercises, number))
                    fail(one.place, fmt::format("exercise {} isn't in the list \"exercises\" of class.toml, so it "
                                                "doesn't count",
                                                number));
}

void bind_extensions(ClassPolicy& policy, const ClassIntake& intake, const Roster& roster) {
    std::multimap<std::string, Extension> bound;
    for (auto& [written, one] : policy.extensions) {
        const std::vector<std::string> named = students_named(intake, roster, written);
        if (named.size() > 1) fail(one.place, fmt::format("\"{}\"{}", plain_line(written), one_of_students(named)));
        const std::string id = named.empty() ? "" : named.front();
        if (id.empty()) {
            const std::string what = fmt::format("there is no student \"{}\" in the class{}", plain_line(written),
                                                 near_student(intake, written));
            if (!intake.roster.empty()) fail(one.place, what);
            policy.warnings.push_back(
                fmt::format("{}: {}; without a roster nobody knows whom else there is", one.place, what));
            continue;
        }
        const auto [begin, end] = bound.equal_range(id);
        for (auto at = begin; at != end; ++at) refuse_two_deadlines(id, at->second, one);
        if (const std::string why = without_effect(policy, one); !why.empty())
            policy.warnings.push_back(fmt::format("{}: the deadline of {}, {}, changes nothing: {}", one.place,
                                                  plain_line(written), policy.time_zone.text(*one.deadline), why));
        bound.emplace(id, std::move(one));
    }
    for (const ClassStudent& one : intake.roster)
        if (one.extended_until) add_extension_of_lms(policy, one, bound);
    policy.extensions = std::move(bound);
}

}  // namespace course
