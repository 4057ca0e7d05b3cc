// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "manifest/manifest.hpp"

namespace course {

/// A lesson as its folder's name tells it, before its lesson.toml is read.
struct LessonFolder {
    std::filesystem::path path;
    int number = 0;
    [[nodiscard]] std::string name() const { return path.filename().string(); }  ///< "06-raw-kernels"
};

/// A program of a lesson: NAME.cpp in its folder, what it prints in NAME.out.
struct LessonProgram {
    std::string name, shows;
    bool measures = false;  ///< prints times
    bool breather = false;  ///< of the lesson's breather
};

/// What a question offers to choose from.
struct Choice {
    std::string text, why;
    bool right = false;
    std::string value;  ///< of the right one, as the program prints it behind "Answer: "
    int tag = 0;        ///< a misconception's number; 0: none
};

/// A wrong number that people give.
struct Slip {
    double value = 0;
    int tag = 0;  ///< a misconception's number; 0: none
    std::string why;
};

/// The prediction is a number; the right one is what the program answers.
struct NumberAnswer {
    std::string unit;
    double within_percent = 0;
    std::string why;
    std::vector<Slip> slips;
    [[nodiscard]] bool accepts(double predicted, double answer) const;
};

struct Question {
    std::string id;         ///< unique in its lesson
    std::string program;    ///< asked before it runs; empty: without a program
    std::size_t which = 0;  ///< of the program's lines "Answer: ...", counted from 0
    std::string ask;
    std::string listing;    ///< "contrast.cpp by_line": the file, or region of it, that it asks about; or empty
    std::vector<Choice> choices;  ///< two or more, in the order in which they are shown; none for a number
    std::optional<NumberAnswer> number;
    bool breather = false;        ///< of the lesson's breather, as its program is

    [[nodiscard]] const Choice& right_choice() const;
};

/// A page after a lesson, breather.md: mixed problems from the lessons so far, and nothing new.
struct Breather {
    std::string title;
    int minutes = 0;
};

struct Lesson {
    LessonFolder folder;
    std::string title;
    std::vector<std::string> needs;      ///< folders' names of lessons before
    std::vector<std::string> exercises;  ///< names of exercises: raw_add
    int teach_minutes = 0, practise_minutes = 0;
    int sittings = 1;                    ///< the text may be so many times as long
    std::vector<std::string> objectives;
    std::vector<std::string> introduces;  ///< terms of the glossary
    std::vector<LessonProgram> programs;
    std::vector<Question> questions;
    std::optional<Breather> breather = {};

    /// The lesson with those of its programs and questions alone that belong to its breather, or those that don't.
    [[nodiscard]] Lesson sitting(bool of_breather) const;

    /// "06/ceil-on-integers": unique in the course.
    [[nodiscard]] std::string full_id(const Question& question) const;
};

/// lessons/06-raw-kernels is lesson 6. @throws ManifestError for another kind of name.
LessonFolder name_lesson(const std::filesystem::path& path);

/// The lessons below root/lessons, by number; none if there is no such folder.
/// @throws ManifestError for a misnamed folder, and for a number that is there twice.
std::vector<LessonFolder> lesson_folders(const std::filesystem::path& root);

/// Reads folder/lesson.toml. @throws ManifestError.
Lesson read_lesson(const LessonFolder& folder);

/// All lessons, by number. @throws ManifestError for the first that can't be used.
std::vector<Lesson> read_lessons(const std::filesystem::path& root);

/// A project without points: the student makes a given program fast, and a log keeps the steps.
struct Capstone {
    Manifest manifest;               ///< with one task; it has no number, hints or planted answers
    std::int64_t gpu_elements = 0;   ///< so many are timed on a GPU
    std::int64_t host_elements = 0;  ///< and so many on the host backend
    std::string element;             ///< what one is called: "pixel"
    double min_bytes = 0;          ///< that any version moves to and from global memory, for each of them
};

/// Reads folder/capstone.toml. @throws ManifestError.
Capstone read_capstone(const std::filesystem::path& folder);

}  // namespace course
