// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "classroom/submissions/answer_choice.hpp"
#include "classroom/submissions/formats/archive_reader.hpp"
#include "classroom/submissions/formats/gradescope.hpp"
#include "classroom/submissions/take_in.hpp"
#include "support/files.hpp"

namespace course {

/// What a submission without an answer has instead.
struct FoundInstead {
    std::string what;                     ///< empty: see the problems
    std::vector<std::string> files = {};  ///< a few
    std::vector<std::size_t> meant = {};  ///< the exercises that they were probably meant for, by index
    bool by_name = true;                  ///< false: other names wouldn't help
};

/// Reads one submission: its folders, files and archives.
class SubmissionReader {
public:
    SubmissionReader(const AnswerPlaces& places, const IntakeLimits& limits)
        : places_(places),
          limits_(limits),
          problems_(limits.problems),
          choice_(places, problems_),
          entries_left_(limits.entries),
          unpacked_left_(limits.unpacked_bytes) {}
    SubmissionReader(const SubmissionReader&) = delete;
    SubmissionReader& operator=(const SubmissionReader&) = delete;

    /// A folder, with everything below it; links are never followed.
    void folder(const UniqueFd& folder);
    /// A file named `name` in a folder, which the student named `as`.
    void file(const UniqueFd& folder, const std::string& name, const std::string& as, long order);
    /// An entry of the export's archive: `path` is the student's own, `reader` is positioned at it.
    void entry(const ArchiveEntry& entry, const std::vector<std::string>& path, ArchiveReader& reader, long order);
    void problem(const std::string& line) { problems_.add(line); }

    struct Result {
        std::vector<TakenAnswer> answers;
        std::vector<UnusableAnswer> unusable;
        FoundInstead instead;               ///< if there are no answers
        std::optional<SubmittedList> list;  ///< from `make submit`, the last one
        std::vector<std::string> problems;
    };
    [[nodiscard]] Result finish();

private:
    /// Where files come from: a folder or an archive.
    struct Source {
        std::string shown;  ///< "answers.zip: ", for an archive
        UploadOrder order = {};
        int depth = 0;      ///< number of enclosing archives
        bool said_encrypted = false, is_over = false;
        std::optional<SubmittedList> list = {};
        std::string list_folder = {};
        std::vector<std::pair<std::string, std::string>> digests = {};  // by path, of files that were read
    };
    using Read = std::function<std::string(std::size_t max_bytes)>;

    /// An archive at that path in `around`.
    [[nodiscard]] static Source within_archive(const std::vector<std::string>& path, const Source& around,
                                               UploadOrder order);
    void walk(const UniqueFd& folder, std::vector<std::string>& path, Source& source, std::size_t around);
    void open_file(const UniqueFd& folder, const std::string& name, const std::vector<std::string>& path,
                   Source& source, UploadOrder order);
    void archive(ArchiveReader reader, Source& source);
    void one(const ArchiveEntry& entry, const std::vector<std::string>& path, Source& source, UploadOrder order,
             const Read& read);
    void regular(const std::vector<std::string>& path, std::int64_t size, Source& source, UploadOrder order,
                 const Read& read);
    void nested(const std::vector<std::string>& path, std::string bytes, const Source& around, UploadOrder order);
    /// Adds a line on a file that can't be taken, which may be why its exercise is incomplete.
    void refuse(const std::vector<std::string>& path, const std::string& line);
    void not_used(const std::vector<std::string>& path, const Source& source);
    void compare_list(const Source& source);
    [[nodiscard]] std::vector<UnusableAnswer> unusable(const std::vector<TakenAnswer>& answers);
    [[nodiscard]] FoundInstead found_instead() const;
    [[nodiscard]] bool may_take(Source& source);
    [[nodiscard]] bool is_wanted(const std::vector<std::string>& path) const;

    const AnswerPlaces& places_;
    const IntakeLimits& limits_;
    ProblemLines problems_;
    AnswerChoice choice_;
    std::int64_t entries_left_, unpacked_left_;
    std::size_t kept_ = 0;
    std::vector<std::string> others_ = {};  ///< a few files that belong to no exercise
    bool has_known_name_ = false;           ///< one of them has the name of an exercise's file, in a place of its own
    std::map<std::size_t, std::vector<std::string>> misnamed_ = {};  ///< a few, by the exercise that was probably meant
    std::map<std::size_t, std::string> refused_ = {};                ///< why a file of the exercise can't be taken
    Source export_ = {};                    ///< for entry() and file()
    std::optional<SubmittedList> list_ = {};
};

/// The student's own path of an archive's entry, or why it is invalid: it is absolute, leads out of the archive, or is
/// too long. Pure.
std::vector<std::string> own_path(const std::string& path, std::size_t max_bytes, std::string& why_not);

/// Writes the answers to RESULTS/submissions/<id>/. Ids are only known once everything has been read, so they are first
/// written to RESULTS/submissions/.taking/. Existing files with the same bytes stay unchanged.
class Staging {
public:
    /// @throws FileError.
    Staging(const std::filesystem::path& results, bool dry_run);
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;
    ~Staging();

    /// Writes the files of the submission with this number and source. @throws FileError.
    void write(std::size_t unit, const std::string& source, const std::vector<TakenAnswer>& answers);
    /// Moves each submission, by number, to its place, replacing what was there. @throws FileError.
    void move(const std::vector<std::string>& ids);

private:
    [[nodiscard]] bool is_there(const std::filesystem::path& folder, const std::vector<TakenAnswer>& answers) const;
    [[nodiscard]] std::filesystem::path staged(std::size_t unit) const { return folder_ / std::to_string(unit); }

    bool is_dry_;
    std::filesystem::path submissions_, folder_;
    std::map<std::string, std::string> earlier_;  // ids of earlier submissions, by source
    std::map<std::size_t, std::string> kept_;     // ids of unchanged ones, by number
    std::set<std::string> taken_;                 // ids used in kept_
};

}  // namespace course
