// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "submissions/formats/names.hpp"

namespace course {

/// A student of the roster.
struct ClassStudent {
    std::string id, name, email, group;  ///< group empty: alone
    std::string canvas = {};             ///< Canvas' own number of the student, where the roster is its gradebook
    std::optional<std::chrono::sys_seconds> extended_until = {};  ///< an extension that the LMS granted
    friend bool operator==(const ClassStudent&, const ClassStudent&) = default;
};

/// The files of one exercise in a submission.
struct SubmittedAnswer {
    int number = 0;
    std::string folder;  ///< "08-raw-add"
    std::string digest;  ///< hexadecimal, of its files
    friend bool operator==(const SubmittedAnswer&, const SubmittedAnswer&) = default;
};

/// Something that was handed in for an exercise and that can't be used.
struct UnusableAnswer {
    static constexpr int any_exercise = 0;  ///< nothing of the submission can be used, for whichever it was meant
    int number = 0;
    std::string why;  ///< which file it was, and which names were expected
    friend bool operator==(const UnusableAnswer&, const UnusableAnswer&) = default;
};

/// What an LMS' download names a student's submission by, field by field; feedback goes back under the same name.
struct LmsName {
    std::string lms;          ///< "moodle" or "canvas"
    std::string who;          ///< "Ada Lovelace", "lovelaceada"; Canvas without names: "anon"
    std::string number;       ///< Moodle's participant; Canvas' user, or what stands in its place
    std::string upload = {};  ///< Canvas' number of the file
    std::string file = {};    ///< of Canvas: the student's own name of the file
    bool is_late = false;     ///< Canvas marks it LATE
    friend bool operator==(const LmsName&, const LmsName&) = default;
};

/// What a student, or a group, handed in at one time.
struct ClassSubmission {
    std::string id;                    ///< unique, stable, safe as a file name: from student and attempt ("ada-1")
    std::string student;               ///< id in the roster, or the best that the export says
    std::vector<std::string> members;  ///< of the group, the student included
    int attempt = 1;                   ///< in order of time
    std::optional<std::chrono::sys_seconds> time;  ///< the LMS' own stamp, never a file's time
    std::string source;                            ///< the archive or folder, as shown
    std::vector<SubmittedAnswer> answers;
    std::vector<UnusableAnswer> unusable = {};
    std::vector<std::string> problems;     ///< what could not be taken of it, a line each
    std::optional<LmsName> lms_name = {};  ///< of `student`, and none of the other members
    friend bool operator==(const ClassSubmission&, const ClassSubmission&) = default;
};

/// All that was handed in.
struct ClassIntake {
    std::vector<ClassStudent> roster;
    std::vector<ClassSubmission> submissions;
    std::vector<std::string> problems;
    friend bool operator==(const ClassIntake&, const ClassIntake&) = default;
};

/// The version of intake.json.
inline constexpr int intake_schema = 1;

/// The text of intake.json: valid UTF-8; ends with a newline. Pure.
std::string intake_json(const ClassIntake& intake);

/// The way back. Nothing is guessed: a field that is missing, of another type or out of range is an error, and so is an
/// id or a folder that leads elsewhere as a file's name. Pure. @throws IntakeError with the field.
ClassIntake read_intake(std::string_view text);

}  // namespace course
