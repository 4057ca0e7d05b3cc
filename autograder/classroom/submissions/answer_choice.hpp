// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace course {

/// An exercise, with what is needed for finding its files.
struct KnownExercise {
    int number = 0;
    std::string folder;                   ///< "08-raw-add"
    std::vector<std::string> edit;        ///< the names of its files
    std::vector<std::string> stubs = {};  ///< their original texts
    bool bare = true;                     ///< its files may be outside its folder
};

/// Where a submitted file belongs.
struct AnswerPlace {
    std::size_t exercise = 0, file = 0;  ///< indexes of the exercise, and of its `edit`
    int rank = 0;       ///< of the folder, the best first: work/NN-topic, NN-topic, exercises/NN-topic, bare files;
                        ///< then those that lie deeper, 8 for each folder more
    bool exact = true;  ///< false: the name differs in capitals
    std::int64_t copy = 0;  ///< 2 for "raw_add-2.cu" and "raw_add (2).cu", as LMS and browsers name copies
};

/// The exercises to look for, and the places where their files may be.
class AnswerPlaces {
public:
    /// The best rank of a folder named exercises/NN-topic, where a copy of the course has its stubs.
    static constexpr int of_exercises = 4, bare = 6;

    explicit AnswerPlaces(std::vector<KnownExercise> exercises);

    [[nodiscard]] const std::vector<KnownExercise>& exercises() const { return exercises_; }
    /// The place of a path within a submission: NN-topic/, work/NN-topic/ or exercises/NN-topic/, inside up to six
    /// further folders, or a bare file whose name belongs to one exercise, possibly inside one further folder. Nothing
    /// for any other.
    [[nodiscard]] std::optional<AnswerPlace> find(const std::vector<std::string>& path) const;
    /// True if this folder or one below it may have files, with up to `around` further folders around NN-topic or
    /// work/NN-topic.
    [[nodiscard]] bool may_hold(const std::vector<std::string>& folder, std::size_t around = 1) const;
    static constexpr std::size_t max_around = 6;
    /// The exercise that a misplaced file was probably meant for: it is in the exercise's folder, or its name is
    /// similar to one of its files'. Nothing in a course's own exercises/.
    [[nodiscard]] std::optional<std::size_t> exercise_meant(const std::vector<std::string>& path) const;
    /// True for the name of any exercise's file, or of a numbered copy of one.
    [[nodiscard]] bool is_file_name(const std::string& name) const;
    /// The names of these exercises' files, for messages: "raw_add.cpp, raw_add.cu". Without exercises, those of all
    /// requested ones; for many, one exercise's as an example.
    [[nodiscard]] std::string expected_names(const std::vector<std::size_t>& exercises) const;
    /// True for the name of an exercise's folder.
    [[nodiscard]] bool is_exercise(std::string_view folder) const;

private:
    [[nodiscard]] std::optional<AnswerPlace> find_bare(const std::string& name) const;

    std::vector<KnownExercise> exercises_;
    std::map<std::string, std::size_t, std::less<>> by_folder_;  // in lower case
    std::map<std::string, std::vector<std::pair<std::size_t, std::size_t>>, std::less<>> by_name_;
};

/// The exercises below root/exercises. Files of the requested ones may be bare; if none are requested, those of all. A
/// manifest that can't be read becomes a line in `problems`.
/// @throws ManifestError for a misnamed folder; IntakeError for a number that doesn't exist.
std::vector<KnownExercise> known_exercises(const std::filesystem::path& root, const std::vector<int>& bare,
                                           std::vector<std::string>& problems);

/// Lines on problems of a submission: limited in number, and without repetition.
class ProblemLines {
public:
    explicit ProblemLines(std::size_t max_lines) : max_lines_(max_lines) {}
    void add(const std::string& line);
    /// The first few lines, joined with semicolons; empty if there are none.
    [[nodiscard]] std::string text() const;
    /// The lines; the last one says how many more there are.
    [[nodiscard]] std::vector<std::string> take();

private:
    std::size_t max_lines_, left_out_ = 0;
    std::vector<std::string> lines_;
};

/// A file of an answer, as submitted.
struct TakenFile {
    std::string name, bytes;
    std::string shown;  ///< its original path
};

/// The answer to one exercise.
struct TakenAnswer {
    int number = 0;
    std::string folder;
    std::vector<TakenFile> files;  ///< in the order of `edit`
};

/// When a file was uploaded, as far as numbers in the export and in archives' names tell: larger is later.
struct UploadOrder {
    long lms = 0;              ///< the LMS's own number of the upload
    std::int64_t archive = 0;  ///< the copy's number, if an enclosing archive is a numbered copy
    friend auto operator<=>(const UploadOrder&, const UploadOrder&) = default;
};

/// Chooses each exercise's files from everything in a submission: those of one folder, the best one.
class AnswerChoice {
public:
    AnswerChoice(const AnswerPlaces& places, ProblemLines& problems) : places_(places), problems_(problems) {}

    /// Adds a file; `folder` is its path including all enclosing archives, `shown` its name including them. The latest
    /// copy counts: by `order`, then by the copy's number, the last of equal ones.
    void add(const AnswerPlace& place, const std::string& folder, const std::string& shown, std::string bytes,
             UploadOrder order);
    [[nodiscard]] bool empty() const { return found_.empty(); }
    /// The chosen answers. Reports what is duplicated or incomplete.
    [[nodiscard]] std::vector<TakenAnswer> choose();
    /// True if choose() has left out exercises whose stubs are unchanged.
    [[nodiscard]] bool has_stubs() const { return has_stubs_; }

private:
    struct Held {
        TakenFile file;
        bool exact = true;
        UploadOrder order = {};
        std::int64_t copy = 0;
    };
    struct Folder {
        int rank = 0;
        UploadOrder order = {};  // of its latest file
        std::string shown;
        std::map<std::size_t, Held> files;  // by index in `edit`
    };

    [[nodiscard]] bool is_stub(const KnownExercise& exercise, const Folder& folder) const;
    [[nodiscard]] static bool are_equal(const Folder& one, const Folder& other);

    const AnswerPlaces& places_;
    ProblemLines& problems_;
    bool has_stubs_ = false;
    std::map<std::size_t, std::map<std::string, Folder>> found_;  // by exercise, then by folder
};

}  // namespace course
