// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/manifest.hpp"

namespace course {

/// A lesson as identified by its folder's name, before its lesson.toml is read.
struct LessonFolder {
    std::filesystem::path path;
    int number = 0;
    int place = 0;  ///< in the order in which lessons are read; lesson_folders() counts from 1
    [[nodiscard]] std::string name() const { return path.filename().string(); }  ///< "06-raw-kernels"
};

/// A program of a lesson: NAME.cpp in its folder, with its output in NAME.out.
struct LessonProgram {
    std::string name, shows;
    bool measures = false;  ///< prints times
    bool breather = false;  ///< of the lesson's breather
};

/// One choice of a question.
struct Choice {
    std::string text, why;
    bool right = false;
    std::string value;  ///< for the right one: as the program prints it after "Answer: "
    int tag = 0;        ///< a misconception's number; 0: none
};

/// A common wrong number.
struct Slip {
    double value = 0;
    int tag = 0;  ///< a misconception's number; 0: none
    std::string why;
};

/// A number as someone wrote it: 1.3 has one digit after its point, 324/256 stands for all of its digits.
struct PredictedNumber {
    double value = 0;
    int decimals = 0;     ///< digits after the point; -1: all of them
    int significant = 0;  ///< digits from the first one that isn't 0
};

/// The prediction is a number; the right one is the program's answer.
struct NumberAnswer {
    std::string unit;
    double within_percent = 0;
    std::string why;
    std::vector<Slip> slips;
    /// @param answer as the program prints it; a number with digits after its point was rounded to them
    [[nodiscard]] bool accepts(const PredictedNumber& predicted, std::string_view answer) const;
};

struct Question {
    std::string id;         ///< unique in its lesson
    std::string program;    ///< asked before it runs; empty: without a program
    std::size_t which = 0;  ///< of the program's lines "Answer: ...", counted from 0
    std::string ask;
    std::string listing;    ///< "contrast.cpp by_line": the file or region that the question is about; or empty
    std::vector<Choice> choices;  ///< at least two, in the order of display; none for a number
    std::optional<NumberAnswer> number;
    bool breather = false;        ///< of the lesson's breather, like its program

    [[nodiscard]] const Choice& right_choice() const;
};

/// A page after a lesson, breather.md: mixed problems from the lessons so far, without new material.
struct Breather {
    std::string title;
    int minutes = 0;
};

struct Lesson {
    LessonFolder folder;
    std::string title;
    std::string after;                   ///< the folder of the lesson after which it is read; empty: its number decides
    std::vector<std::string> needs;      ///< folder names of earlier lessons
    std::vector<std::string> exercises;  ///< names of exercises: raw_add
    int teach_minutes = 0, practise_minutes = 0;
    int sittings = 1;                    ///< 2: the text may be longer
    std::vector<std::string> objectives;
    std::vector<std::string> introduces;  ///< terms of the glossary
    std::vector<LessonProgram> programs;
    std::vector<Question> questions;
    std::optional<Breather> breather = {};

    /// The lesson with only those programs and questions that belong to its breather, or only those that don't.
    [[nodiscard]] Lesson sitting(bool of_breather) const;

    /// "06/ceil-on-integers": unique in the course.
    [[nodiscard]] std::string full_id(const Question& question) const;
};

/// lessons/06-raw-kernels is lesson 6, in the sixth place. @throws ManifestError for other names.
LessonFolder name_lesson(const std::filesystem::path& path);

/// The lessons below root/lessons in the order in which they are read: by number, except those that name in "after"
/// which one they follow. None if there is no such folder.
/// @throws ManifestError for a misnamed folder, or a duplicate number.
std::vector<LessonFolder> lesson_folders(const std::filesystem::path& root);

/// Reads folder/lesson.toml. @throws ManifestError.
Lesson read_lesson(const LessonFolder& folder);

/// All lessons, in the order in which they are read. @throws ManifestError for the first unusable one.
std::vector<Lesson> read_lessons(const std::filesystem::path& root);

/// A project without points: the student makes a given program fast, and a log records the steps.
struct Capstone {
    Manifest manifest;               ///< with one task; it has no number, hints or planted answers
    std::int64_t gpu_elements = 0;   ///< number of elements timed on a GPU
    std::int64_t host_elements = 0;  ///< and on the host backend
    std::string element;             ///< the name of an element: "pixel"
    double min_bytes = 0;          ///< per element: what any version must move to and from global memory
};

/// Reads folder/capstone.toml. @throws ManifestError.
Capstone read_capstone(const std::filesystem::path& folder);

}  // namespace course
