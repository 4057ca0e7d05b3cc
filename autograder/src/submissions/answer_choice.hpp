// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "submissions/answer_places.hpp"

namespace course {

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

/// Of all the files that a submission holds, chooses each exercise's: those of one folder, the best that there is.
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
