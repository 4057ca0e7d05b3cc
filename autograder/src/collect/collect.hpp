// SPDX-License-Identifier: MIT
#pragma once

#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/manifest.hpp"

namespace course {

/// The most bytes that one file of an answer may have.
inline constexpr std::size_t answer_file_bytes = std::size_t{1} << 20;

/// A file of the answer as it is compiled: UTF-8 without a BOM, lines end with \n.
struct AnswerFile {
    std::string name;    ///< "raw_add.cpp", as in the manifest's `edit`
    std::string shown;   ///< "work/08-raw-add/raw_add.cpp", as messages name it
    std::string text;
};

/// An answer: exactly the files that the manifest lists.
struct Answer {
    std::vector<AnswerFile> files;
    std::vector<std::string> notes;   ///< what was put right silently or isn't used, in a sentence each
    bool not_started = false;         ///< equal to the stub but for white space
    std::vector<std::string> stars_not_begun = {};   ///< starred tasks whose parts are equal to the stub's
    std::vector<std::string> files_as_given = {};       ///< those that are the stub's
    std::map<std::string, bool> functions_begun = {};   ///< of those that the student writes: by name
};

/// An answer that can't be taken: which file, why, and how to get it back. Plain text, whatever the files are called.
class CollectError : public std::runtime_error {
public:
    explicit CollectError(const std::string& text);
};

/// One file, opened once and never through a link. `shown` names it in errors. @throws CollectError.
std::string read_answer_file(const std::filesystem::path& path, const std::string& shown);

/// Removes a BOM and carriage returns, and refuses what is no text. Says in `notes` what it changed.
/// @throws CollectError.
std::string clean_text(std::string text, const std::string& shown, std::vector<std::string>& notes);

/// What tells two answers apart: the names and texts of their files.
std::string answer_digest(const Answer& answer);

/// True if the texts differ in nothing but white space.
bool same_but_for_space(const std::string& a, const std::string& b);

/// Takes the answer in `folder`, and nothing but the manifest's files; other code there is named in a note.
///
/// A planted answer is named by its patch, with or without ".patch", or by its folder in right/. What it doesn't change
/// comes from the solution; of any other folder a missing file is an error. `root` is the course's, from which messages
/// name files: what a patch changes as if it lay in a folder wrong/no-guard.
/// @throws CollectError.
Answer collect(const Manifest& manifest, const std::filesystem::path& folder, const std::filesystem::path& root);

/// `path` as messages show it, in plain text: relative to the root if it is below it, else as it is.
std::string shown_path(const std::filesystem::path& path, const std::filesystem::path& root);

/// The ID in a line `// ---- your code, star ID (...) ----`, which may be empty; none in any other line. Pure.
std::optional<std::string> star_named_by(const std::string& line);

/// The student's parts of a file that belong to the starred task `id`: what stands below a line
/// `// ---- your code, star (about 8 lines) ----`, or `..., star ID (...)` where there are several. Pure.
std::vector<std::string> starred_parts(const std::string& text, const std::string& id);

/// The text without the parts of any starred task. Pure.
std::string without_starred_parts(const std::string& text);

/// A file of an answer beside its stub.
struct FileAndStub {
    std::string text, stub;
};

/// The starred tasks that nobody has begun: their parts of the answer are still those of the stub. A task without parts
/// of its own is never among them. Pure.
std::vector<std::string> stars_not_begun(const Manifest& manifest, const std::vector<FileAndStub>& files);

// What the readers of answers' texts share.

/// The line above a part that the student writes holds the first of these, one with a star the second; the line below
/// it the third.
inline constexpr std::string_view part_mark = "// ---- your code", star_mark = "// ---- your code, star",
                                  part_end_mark = "// ---- end ----";

inline bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
inline bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace course
