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

/// A student in the roster.
struct ClassStudent {
    std::string id, name, email, group;  ///< group empty: alone
    std::string canvas = {};             ///< Canvas' own number of the student, if the roster is its gradebook
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

/// Files submitted for an exercise that can't be used.
struct UnusableAnswer {
    static constexpr int any_exercise = 0;  ///< nothing of the submission can be used, for whichever it was meant
    int number = 0;
    std::string why;  ///< which file, and which names were expected
    friend bool operator==(const UnusableAnswer&, const UnusableAnswer&) = default;
};

/// The name of a student's submission in an LMS's download, in fields; feedback goes back under the same name.
struct LmsName {
    std::string lms;          ///< "moodle" or "canvas"
    std::string who;          ///< "Ada Lovelace", "lovelaceada"; Canvas without names: "anon"
    std::string number;       ///< Moodle's participant; Canvas' user, or its replacement
    std::string upload = {};  ///< Canvas' number of the file
    std::string file = {};    ///< for Canvas: the student's own name for the file
    bool is_late = false;     ///< Canvas marks it LATE
    friend bool operator==(const LmsName&, const LmsName&) = default;
};

/// What a student, or a group, submitted at one time.
struct ClassSubmission {
    std::string id;                    ///< unique, stable, safe as a file name: from student and attempt ("ada-1")
    std::string student;               ///< the roster's id, or the export's best one
    std::vector<std::string> members;  ///< of the group, including the student
    int attempt = 1;                   ///< in order of time
    std::optional<std::chrono::sys_seconds> time;  ///< the LMS's own stamp, never a file's time
    std::string source;                            ///< the archive or folder, as shown
    std::vector<SubmittedAnswer> answers;
    std::vector<UnusableAnswer> unusable = {};
    std::vector<std::string> problems;     ///< what could not be taken from it, one per line
    std::optional<LmsName> lms_name = {};  ///< of `student`, not of the other members
    friend bool operator==(const ClassSubmission&, const ClassSubmission&) = default;
};

/// Everything that was submitted.
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

/// Parses it. Nothing is guessed: a field that is missing, of another type or out of range is an error, and so is an id
/// or a folder that leads elsewhere as a file's name. Pure. @throws IntakeError with the field.
ClassIntake read_intake(std::string_view text);

/// Limits on reading untrusted files. Each is far above what an honest submission needs.
struct IntakeLimits {
    std::int64_t class_entries = 5'000'000;                    ///< in the export's archive
    std::int64_t class_bytes = std::int64_t{256} << 30;        ///< unpacked, as far as it is read
    std::int64_t entries = 20'000;                             ///< files and folders of a submission
    std::int64_t unpacked_bytes = std::int64_t{4} << 30;       ///< that its archives unpack to, as far as they are read
    std::int64_t archive_bytes = std::int64_t{256} << 20;      ///< of an archive in a folder
    std::size_t nested_archive_bytes = std::size_t{16} << 20;  ///< of an archive within an archive
    std::size_t kept_bytes = std::size_t{16} << 20;            ///< of all files taken from a submission
    std::size_t name_bytes = 1024;                             ///< of a path in an archive
    int depth = 3;                                             ///< archives within each other
    std::size_t problems = 25;                                 ///< lines per submission
};

class Roster;

/// The intake's input and output.
struct IntakeOptions {
    std::filesystem::path submissions;     ///< a folder or an archive
    std::filesystem::path roster = {};     ///< a CSV file; empty: none
    std::filesystem::path into;            ///< RESULTS: receives submissions/<id>/<NN-topic>/<file> and intake.json
    std::filesystem::path root;            ///< the course's, which contains exercises/
    std::vector<int> bare_exercises = {};  ///< whose files may be outside their folder; empty: all
    bool dry_run = false;                  ///< write nothing
    IntakeLimits limits = {};
    std::function<void(std::size_t done, std::size_t all)> progress = {};  ///< after each submission
    /// Called before anything of an earlier intake is replaced; what it throws leaves that as it was.
    std::function<void(const ClassIntake&, const Roster&)> accept = {};
};

/// Reads an LMS export, or a folder of submissions: determines who submitted what, and writes the exercises' files.
/// Runs nothing that students wrote, and uses none of their file names; what can't be taken becomes a line.
/// @throws IntakeError if nothing can be read; FileError; ManifestError for a misnamed folder.
ClassIntake take_in(const IntakeOptions& options);

}  // namespace course
