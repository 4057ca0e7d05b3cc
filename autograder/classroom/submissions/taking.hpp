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

/// What a submission without an answer has in place of one.
struct FoundInstead {
    std::string what;                     ///< empty: the problems say it
    std::vector<std::string> files = {};  ///< a few
    std::vector<std::size_t> meant = {};  ///< the exercises that they were probably meant for, as indexes
    bool by_name = true;                  ///< false: other names wouldn't help
};

/// Looks through one submission: its folders, files and archives.
class Taking {
public:
    Taking(const AnswerPlaces& places, const IntakeLimits& limits)
        : places_(places),
          limits_(limits),
          problems_(limits.problems),
          choice_(places, problems_),
          entries_left_(limits.entries),
          unpacked_left_(limits.unpacked_bytes) {}
    Taking(const Taking&) = delete;
    Taking& operator=(const Taking&) = delete;

    /// A folder with all that may lie below it; links are never followed.
    void folder(const OpenFile& folder);
    /// A file named `name` in a folder, which the student called `as`.
    void file(const OpenFile& folder, const std::string& name, const std::string& as, long order);
    /// An entry of the export's archive: `path` is the student's own, `reader` stands at it.
    void entry(const ArchiveEntry& entry, const std::vector<std::string>& path, ArchiveReader& reader, long order);
    void problem(const std::string& line) { problems_.add(line); }

    struct Result {
        std::vector<TakenAnswer> answers;
        std::vector<UnusableAnswer> unusable;
        FoundInstead instead;               ///< where there are no answers
        std::optional<SubmittedList> list;  ///< of `make submit`, the last one
        std::vector<std::string> problems;
    };
    [[nodiscard]] Result finish();

private:
    /// Where files come from: a folder or an archive.
    struct Source {
        std::string shown;  ///< "answers.zip: ", of an archive
        UploadOrder order = {};
        int depth = 0;      ///< archives around it
        bool said_encrypted = false, is_over = false;
        std::optional<SubmittedList> list = {};
        std::string list_folder = {};
        std::vector<std::pair<std::string, std::string>> digests = {};  // of files that were read, by path
    };
    using Read = std::function<std::string(std::size_t most)>;

    /// An archive at that path in `around`.
    [[nodiscard]] static Source within_archive(const std::vector<std::string>& path, const Source& around,
                                               UploadOrder order);
    void walk(const OpenFile& folder, std::vector<std::string>& path, Source& source, std::size_t around);
    void open_file(const OpenFile& folder, const std::string& name, const std::vector<std::string>& path,
                   Source& source, UploadOrder order);
    void archive(ArchiveReader reader, Source& source);
    void one(const ArchiveEntry& entry, const std::vector<std::string>& path, Source& source, UploadOrder order,
             const Read& read);
    void regular(const std::vector<std::string>& path, std::int64_t size, Source& source, UploadOrder order,
                 const Read& read);
    void nested(const std::vector<std::string>& path, std::string bytes, const Source& around, UploadOrder order);
    /// A line on a file that can't be taken, and by which its exercise may miss it.
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
    bool has_known_name_ = false;           ///< one of them has an exercise's file name, in a place of its own
    std::map<std::size_t, std::vector<std::string>> misnamed_ = {};  ///< a few, by the exercise that was probably meant
    std::map<std::size_t, std::string> refused_ = {};                ///< why a file of the exercise can't be taken
    Source export_ = {};                    ///< of entry() and file()
    std::optional<SubmittedList> list_ = {};
};

/// The student's own path of an archive's entry, or why it can't be one: it is absolute, leads out of the archive, or
/// is too long. Pure.
std::vector<std::string> own_path(const std::string& path, std::size_t max_bytes, std::string& why_not);

/// Writes what was taken to RESULTS/submissions/<id>/, though ids are known only once everything was read: until then
/// it lies in RESULTS/submissions/.taking/. What is there already, byte for byte, is left alone.
class Staging {
public:
    /// @throws FileError.
    Staging(const std::filesystem::path& results, bool dry_run);
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;
    ~Staging();

    /// The files of the submission with this number and source. @throws FileError.
    void write(std::size_t unit, const std::string& source, const std::vector<TakenAnswer>& answers);
    /// Gives each submission, by number, its place; what was there before is gone. @throws FileError.
    void move(const std::vector<std::string>& ids);

private:
    [[nodiscard]] bool is_there(const std::filesystem::path& folder, const std::vector<TakenAnswer>& answers) const;
    [[nodiscard]] std::filesystem::path staged(std::size_t unit) const { return folder_ / std::to_string(unit); }

    bool is_dry_;
    std::filesystem::path submissions_, folder_;
    std::map<std::string, std::string> earlier_;  // ids of what was taken in before, by source
    std::map<std::size_t, std::string> kept_;     // ids of those that are unchanged, by number
    std::set<std::string> taken_;                 // ids that kept_ has
};

}  // namespace course
