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

/// The system that wrote the export.
enum class Lms { plain, moodle, canvas, gradescope, github };
std::string to_string(Lms lms);

/// A name at an export's top level: a folder or a file.
struct TopName {
    std::string name;  ///< its bytes
    bool is_folder = false;
    bool is_repository = false;  ///< contains a .git
};

/// Who submitted, according to the export.
struct Claim {
    struct Person {
        std::vector<std::string> keys;  ///< for the roster, the most reliable first
        std::string best;               ///< the export's best ID
    };
    std::vector<Person> people;  ///< several: a group, in Gradescope
    std::string group = {};      ///< a group's name, in Moodle
    std::optional<std::chrono::sys_seconds> time = {};
    bool is_sure = true;  ///< false: a freely chosen name, which the submission itself may correct
};

/// A top-level entry that belongs to a submission.
struct LayoutPart {
    std::string top;  ///< as in TopName; empty: everything at the top
    bool is_folder = false;
    std::string name;  ///< the student's own name for the file
    long order = 0;    ///< among files with the same name, the largest counts
};

/// A submission within the layout of an export.
struct LayoutUnit {
    std::string shown;
    Claim claim;
    std::vector<LayoutPart> parts;
    std::vector<std::string> problems;
    std::string without_time = {};  ///< a line for a submission without a known time
    std::optional<LmsName> lms_name = {};
};

/// An export divided into submissions.
struct Layout {
    Lms lms = Lms::plain;
    std::vector<LayoutUnit> units;
    std::vector<std::string> problems;
    std::string without_time = {};  ///< the same for all of them
};

/// The submissions in an export with these top-level names; `gradescope` is its metadata, if it has any. Pure.
Layout arrange(const std::vector<TopName>& names, const std::map<std::string, GradescopeSubmission>* gradescope,
               const Roster& roster, const AnswerPlaces& places, const std::string& shown);

/// True if these names have the form of Moodle's, Canvas' or Gradescope's.
bool is_an_lms_export(const std::vector<TopName>& names);

/// True if these names are an export's, rather than those of one submission or of one folder around it.
bool is_an_export(const std::vector<TopName>& names, const AnswerPlaces& places);

/// Who a submission belongs to.
struct Owner {
    std::string student;                                ///< the roster's ID, or the export's best one
    std::vector<std::string> members;                   ///< of the group, the student first
    std::optional<std::chrono::sys_seconds> submitted;  ///< according to the roster
    std::vector<std::string> problems;                  ///< for the submission
    std::optional<WarningOn> not_rostered;  ///< why it is nobody of the roster; none if it is, or there is none
};

/// Finds the owner from the export and from submission.json; the export takes precedence. Pure.
Owner find_owner(const LayoutUnit& unit, const std::optional<SubmittedList>& list, Lms lms, const Roster& roster);

/// Numbers each student's attempts by time, otherwise by name, and gives each submission its ID. Pure.
void number_attempts(std::vector<ClassSubmission>& submissions);

}  // namespace course
