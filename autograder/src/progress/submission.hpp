// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kit/kit.hpp"
#include "progress/progress.hpp"
#include "support/files.hpp"

namespace course {

/// An exercise in a submission.
struct SubmittedExercise {
    int number = 0;
    std::string name, folder;         ///< "raw_add", "08-raw-add"
    std::vector<ArchivedFile> files;  ///< as in work/, byte for byte
    std::string last_verdict;         ///< of exactly these files; empty: they were never judged
    std::string earlier_verdict;      ///< of the answer before the last change
    int points = 0, max_points = 0;   ///< the maximum that an answer has earned
};

/// What a student submits.
struct Submission {
    Student student;
    std::string kit_version, commit;  ///< the commit is empty if unknown
    std::vector<SubmittedExercise> exercises;
    std::vector<std::string> left_out;  ///< begun, but can't be collected: which exercise, and why
    int not_started = 0;                ///< exercises without an answer
};

/// Gathers the `edit` files of each exercise that was begun, by the collector's rules. @throws ManifestError for a
/// misnamed folder
Submission gather_submission(const Kit& kit, const Student& student);

/// submission.json: the archive's contents, with a digest of each file. Pure.
std::string submission_json(const Submission& submission);

/// The archive: submission.json first, then the files in NN-topic/. Pure. @throws std::runtime_error
std::string submission_archive(const Submission& submission);

/// A student's answer to a question of a lesson, as a prediction or in the quiz.
struct RecordedAnswer {
    std::string date;      ///< 2026-01-31
    std::string question;  ///< "06/ceil-on-integers"
    bool right = false;
    int tag = 0;  ///< the misconception behind a wrong one; 0: none
};

/// The student's answers, oldest first: work/answers.txt, one per line. It may be deleted, edited or only partly
/// understood.
class Answers {
public:
    explicit Answers(const std::filesystem::path& work) : file_(work / "answers.txt") {}

    /// Skips lines that can't be parsed; a missing file is an empty one.
    [[nodiscard]] std::vector<RecordedAnswer> read() const;
    /// Adds a line. @throws FileError
    void add(const RecordedAnswer& answer) const;

private:
    std::filesystem::path file_;
};

/// Formats one answer as a line of the file, and parses all lines.
std::string answer_line(const RecordedAnswer& answer);
std::vector<RecordedAnswer> parse_answers(const std::string& text);

/// Converts "2026-01-31" to days since 1970-01-01, and back; -1 for what isn't a date.
long day_of(const std::string& date);
std::string date_of(long day);
/// In the user's time zone.
long today();

}  // namespace course
