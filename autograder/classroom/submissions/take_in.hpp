// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classroom/submissions/formats/names.hpp"

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
    std::string time_zone = {};  ///< the environment's TZ, if the roster's times were read in it
    friend bool operator==(const ClassIntake&, const ClassIntake&) = default;
};

/// The version of intake.json.
inline constexpr int intake_schema = 1;

/// The text of intake.json: valid UTF-8; ends with a newline. Pure.
std::string intake_json(const ClassIntake& intake);

/// The way back. Nothing is guessed: a field that is missing, of another type or out of range is an error, and so is an
/// id or a folder that leads elsewhere as a file's name. Pure. @throws IntakeError with the field.
ClassIntake read_intake(std::string_view text);

/// How much of a stranger's files is looked at. Each is far above what an honest submission has.
struct IntakeLimits {
    std::int64_t class_entries = 5'000'000;                    ///< of the export's archive
    std::int64_t class_bytes = std::int64_t{256} << 30;        ///< that it unpacks to, as far as it is read
    std::int64_t entries = 20'000;                             ///< files and folders of a submission
    std::int64_t unpacked_bytes = std::int64_t{4} << 30;       ///< that its archives unpack to, as far as read
    std::int64_t archive_bytes = std::int64_t{256} << 20;      ///< of an archive in a folder
    std::size_t nested_archive_bytes = std::size_t{16} << 20;  ///< of an archive within an archive
    std::size_t kept_bytes = std::size_t{16} << 20;            ///< of all files of a submission that are taken
    std::size_t name_bytes = 1024;                             ///< of a path in an archive
    int depth = 3;                                             ///< archives within each other
    std::size_t problems = 25;                                 ///< lines on one submission
};

/// What is taken in, and where to.
struct IntakeOptions {
    std::filesystem::path submissions;     ///< a folder or an archive
    std::filesystem::path roster = {};     ///< a CSV file; empty: none
    std::filesystem::path into;            ///< RESULTS: gets submissions/<id>/<NN-topic>/<file> and intake.json
    std::filesystem::path root;            ///< the course's, which has exercises/
    std::vector<int> bare_exercises = {};  ///< whose files may lie without a folder of theirs; empty: all
    bool dry_run = false;                  ///< nothing is written
    IntakeLimits limits = {};
    std::function<void(std::size_t done, std::size_t all)> progress = {};  ///< after each submission
    /// Called before anything of an earlier intake is replaced; what it throws leaves that as it was.
    std::function<void(const ClassIntake&)> accept = {};
};

/// Takes in what an LMS exported, or a folder of submissions: finds out who handed in what, and writes the exercises'
/// files. Of what students wrote nothing is run and no name is used; what can't be taken is said in a line.
/// @throws IntakeError if there is nothing that can be taken in; FileError; ManifestError for a misnamed folder.
ClassIntake take_in(const IntakeOptions& options);

}  // namespace course
