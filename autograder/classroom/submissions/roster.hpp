// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "classroom/submissions/take_in.hpp"

namespace course {

/// A row of the roster, with the names that an export may use for the student: "login:ada", "participant:12345".
struct RosterRow {
    ClassStudent student;
    std::vector<std::string> keys;
    std::optional<std::chrono::sys_seconds> submitted;  ///< the LMS's time stamp, if the roster has such a column
};

/// Keys for finding students.
namespace roster_key {
std::string id(std::string_view text);
std::string login(std::string_view text);
std::string email(std::string_view text);
std::string name(std::string_view text);           ///< given name and family name in any order
std::string participant(std::string_view number);  ///< Moodle's number of a participant in an assignment
std::string canvas(std::string_view number);       ///< Canvas' number of a user
}  // namespace roster_key

/// A larger roster isn't read.
inline constexpr std::size_t max_roster_bytes = std::size_t{64} << 20;

/// The students of a class, found by whatever an export says of them.
class Roster {
public:
    Roster() = default;
    /// Reads a CSV file: the kit's (id, name, email, group), or one written by Moodle, Canvas, Gradescope or GitHub
    /// Classroom, with the columns in any order. `shown` names it in messages. @throws IntakeError if no column
    /// identifies students.
    Roster(std::string_view csv, const std::string& shown);

    [[nodiscard]] bool empty() const { return rows_.empty(); }
    [[nodiscard]] const std::vector<RosterRow>& rows() const { return rows_; }
    [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }
    /// True if some of its times name no time zone: they were read as the environment's TZ.
    [[nodiscard]] bool has_local_times() const { return has_local_times_; }

    /// The result of a search.
    struct Found {
        const RosterRow* row = nullptr;  ///< null: nobody, or several
        bool several = false;
    };
    /// Finds the student by the first key that anybody has.
    [[nodiscard]] Found find(const std::vector<std::string>& keys) const;
    /// The members of a group, in the roster's order.
    [[nodiscard]] std::vector<const RosterRow*> group(std::string_view name) const;

private:
    void add(RosterRow row, std::size_t line);

    std::vector<RosterRow> rows_;
    std::vector<std::string> problems_;
    bool has_local_times_ = false;
    std::unordered_map<std::string, std::size_t> own_ids_;  ///< keys of the rows' own IDs
    std::unordered_map<std::string, std::size_t> by_key_;   ///< `several_` if two students have it
    std::unordered_map<std::string, std::vector<std::size_t>> by_group_;
    std::string shown_;
    static constexpr std::size_t several_ = static_cast<std::size_t>(-1);
};

/// RESULTS/roster.csv, the roster that the class was taken in with; empty if there is none that can be read.
Roster kept_roster(const std::filesystem::path& results);

/// The ids of those whom `text` names, by the first of these that names anybody: the id; what `course grade` prints; an
/// email address, a login or an LMS' number; the name. Logins are in the roster's file alone. Pure.
std::vector<std::string> students_named(const ClassIntake& intake, const Roster& roster, std::string_view text);

/// " is one of 2 students: 1001, 1002; give the ID", of several whom a text names. Pure.
std::string one_of_students(const std::vector<std::string>& ids);

/// "; did you mean "ada"?", or "" if no student's id, email address or name is near. Pure.
std::string near_student(const ClassIntake& intake, std::string_view text);

}  // namespace course
