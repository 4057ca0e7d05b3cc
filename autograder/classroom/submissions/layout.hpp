// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "classroom/submissions/answer_choice.hpp"
#include "classroom/submissions/formats/gradescope.hpp"
#include "classroom/submissions/roster.hpp"
#include "support/text.hpp"

namespace course {

/// Who wrote the export.
enum class Lms { plain, moodle, canvas, gradescope, github };
std::string to_string(Lms lms);

/// What an export has at its top: a folder or a file.
struct TopName {
    std::string name;  ///< its bytes
    bool is_folder = false;
    bool is_repository = false;  ///< has a .git
};

/// Who handed in, as the export says.
struct Claim {
    struct Person {
        std::vector<std::string> keys;  ///< of the roster, the surest first
        std::string best;               ///< the best ID that the export has
    };
    std::vector<Person> people;  ///< several: a group, by Gradescope
    std::string group = {};      ///< a group's name, by Moodle
    std::optional<std::chrono::sys_seconds> time = {};
    bool is_sure = true;  ///< false: a name that anybody chose, which the submission itself may correct
};

/// Something at the top that belongs to a submission.
struct LayoutPart {
    std::string top;  ///< as in TopName; empty: everything at the top
    bool is_folder = false;
    std::string name;  ///< a file's name as the student had it
    long order = 0;    ///< of files with one name the largest counts
};

/// A submission as the export lays it out.
struct LayoutUnit {
    std::string shown;
    Claim claim;
    std::vector<LayoutPart> parts;
    std::vector<std::string> problems;
    std::string without_time = {};  ///< a line for the case that nobody says when it was handed in
    std::optional<LmsName> lms_name = {};
};

/// An export, taken apart into submissions.
struct Layout {
    Lms lms = Lms::plain;
    std::vector<LayoutUnit> units;
    std::vector<std::string> problems;
    std::string without_time = {};  ///< the same for all of them
};

/// The submissions in an export with these names at its top; `gradescope` is what its metadata says, if it has any.
/// Pure.
Layout arrange(const std::vector<TopName>& names, const std::map<std::string, GradescopeSubmission>* gradescope,
               const Roster& roster, const AnswerPlaces& places, const std::string& shown);

/// True if these names are as Moodle, Canvas or Gradescope write them.
bool is_an_lms_export(const std::vector<TopName>& names);

/// True if these names are an export's, rather than one submission's or one folder around it.
bool is_an_export(const std::vector<TopName>& names, const AnswerPlaces& places);

/// Whose a submission is.
struct Owner {
    std::string student;                                ///< the roster's ID, or the best that the export has
    std::vector<std::string> members;                   ///< of the group, the student first
    std::optional<std::chrono::sys_seconds> submitted;  ///< by the roster
    std::vector<std::string> problems;                  ///< for the submission
    std::optional<WarningOn> not_rostered;  ///< why it is nobody of the roster; none if it is, or there is none
};

/// Finds the owner by what the export says, and what submission.json says; the export counts. Pure.
Owner find_owner(const LayoutUnit& unit, const std::optional<SubmittedList>& list, Lms lms, const Roster& roster);

/// Numbers each student's attempts by time, else by name, and gives each submission its ID. Pure.
void number_attempts(std::vector<ClassSubmission>& submissions);

}  // namespace course
