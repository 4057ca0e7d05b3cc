// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace course {

/// An exercise as far as taking its files goes.
struct KnownExercise {
    int number = 0;
    std::string folder;                   ///< "08-raw-add"
    std::vector<std::string> edit;        ///< the names of its files
    std::vector<std::string> stubs = {};  ///< their texts as they are given
    bool bare = true;                     ///< its files may lie without its folder
};

/// Where a file that was handed in belongs.
struct AnswerPlace {
    std::size_t exercise = 0, file = 0;  ///< indexes of the exercise, and of its `edit`
    int rank = 0;       ///< of the folder, the best first: work/NN-topic, NN-topic, exercises/NN-topic, bare files;
                        ///< then those that lie deeper, 8 for each folder more
    bool exact = true;  ///< false: the name differs in capitals
    std::int64_t copy = 0;  ///< 2 for "raw_add-2.cu" and "raw_add (2).cu", as LMS and browsers name copies
};

/// The exercises that are taken in, and the places where their files may lie.
class AnswerPlaces {
public:
    /// The best rank of a folder named exercises/NN-topic, where a copy of the course has its stubs.
    static constexpr int of_exercises = 4, bare = 6;

    explicit AnswerPlaces(std::vector<KnownExercise> exercises);

    [[nodiscard]] const std::vector<KnownExercise>& exercises() const { return exercises_; }
    /// The place of a path within a submission: NN-topic/, work/NN-topic/ or exercises/NN-topic/, in up to six more
    /// folders, or a bare file whose name one exercise has, in one more folder perhaps. Nothing for any other.
    [[nodiscard]] std::optional<AnswerPlace> find(const std::vector<std::string>& path) const;
    /// True if files may lie in this folder, or below it, with so many more folders around NN-topic or work/NN-topic.
    [[nodiscard]] bool may_hold(const std::vector<std::string>& folder, std::size_t around = 1) const;
    static constexpr std::size_t most_around = 6;
    /// The exercise that a file without a place was probably meant for: it lies in the exercise's folder, or its name
    /// is nearly one of its files'. Nothing in a course's own exercises/.
    [[nodiscard]] std::optional<std::size_t> exercise_meant(const std::vector<std::string>& path) const;
    /// True for a name that a file of any exercise has, or a numbered copy of one.
    [[nodiscard]] bool is_file_name(const std::string& name) const;
    /// The names that files of these exercises have, to be read: "raw_add.cpp, raw_add.cu". Without any, of all that
    /// are asked for; of many, one exercise's as an example.
    [[nodiscard]] std::string expected_names(const std::vector<std::size_t>& exercises) const;
    /// True for the name of an exercise's folder.
    [[nodiscard]] bool is_exercise(std::string_view folder) const;

private:
    [[nodiscard]] std::optional<AnswerPlace> find_bare(const std::string& name) const;

    std::vector<KnownExercise> exercises_;
    std::map<std::string, std::size_t, std::less<>> by_folder_;  // in lower case
    std::map<std::string, std::vector<std::pair<std::size_t, std::size_t>>, std::less<>> by_name_;
};

/// The exercises below root/exercises. Files of those asked for may lie bare; if none are, of all. A manifest that
/// can't be read is said in `problems`.
/// @throws ManifestError for a misnamed folder; IntakeError for a number that isn't there.
std::vector<KnownExercise> known_exercises(const std::filesystem::path& root, const std::vector<int>& bare,
                                           std::vector<std::string>& problems);

}  // namespace course
