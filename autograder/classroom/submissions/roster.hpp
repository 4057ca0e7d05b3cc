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

/// The students of a class, found by the names in an export.
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
    std::unordered_map<std::string, std::size_t> own_ids_;  ///< by the rows' own IDs
    std::unordered_map<std::string, std::size_t> by_key_;   ///< `several_` if two students share it
    std::unordered_map<std::string, std::vector<std::size_t>> by_group_;
    std::string shown_;
    static constexpr std::size_t several_ = static_cast<std::size_t>(-1);
};

}  // namespace course
