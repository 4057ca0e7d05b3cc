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
    static constexpr std::size_t max_around = 6;
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

/// Lines on what is wrong with a submission: no more than so many, none of them twice.
class ProblemLines {
public:
    explicit ProblemLines(std::size_t most) : most_(most) {}
    void add(const std::string& line);
    /// The first few lines in one, with a semicolon between; empty if there are none.
    [[nodiscard]] std::string text() const;
    /// The lines; the last one says how many more there are.
    [[nodiscard]] std::vector<std::string> take();

private:
    std::size_t most_, left_out_ = 0;
    std::vector<std::string> lines_;
};

/// A file of an answer, as it was handed in.
struct TakenFile {
    std::string name, bytes;
    std::string shown;  ///< where it lay
};

/// The answer to one exercise.
struct TakenAnswer {
    int number = 0;
    std::string folder;
    std::vector<TakenFile> files;  ///< in the order of `edit`
};

/// When a file was handed in, as far as numbers of the export and of archives' names say: the larger is the later.
struct UploadOrder {
    long lms = 0;              ///< the LMS' own number of the upload
    std::int64_t archive = 0;  ///< of the copy, if an archive around it is a numbered one
    friend auto operator<=>(const UploadOrder&, const UploadOrder&) = default;
};

/// Chooses each exercise's files among all that a submission holds: those of one folder, the best that there is.
class AnswerChoice {
public:
    AnswerChoice(const AnswerPlaces& places, ProblemLines& problems) : places_(places), problems_(problems) {}

    /// A file; `folder` is where it lies with all archives around it, `shown` its name with them. Of copies the later
    /// one counts: by `order`, then by the number of the copy, the last of equal ones.
    void add(const AnswerPlace& place, const std::string& folder, const std::string& shown, std::string bytes,
             UploadOrder order);
    [[nodiscard]] bool empty() const { return found_.empty(); }
    /// What was chosen. Says what is there twice, or not whole.
    [[nodiscard]] std::vector<TakenAnswer> choose();
    /// True if choose() has left out exercises that nobody touched.
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
