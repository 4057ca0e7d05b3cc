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

/// The maximum size of one file of an answer, in bytes.
inline constexpr std::size_t answer_file_bytes = std::size_t{1} << 20;

/// A file of the answer as it is compiled: UTF-8 without a BOM, lines ending with \n.
struct AnswerFile {
    std::string name;    ///< "raw_add.cpp", as in the manifest's `edit`
    std::string shown;   ///< "work/08-raw-add/raw_add.cpp", as messages name it
    std::string text;
};

/// An answer: exactly the files that the manifest lists.
struct Answer {
    std::vector<AnswerFile> files;
    std::vector<std::string> notes;   ///< what was corrected silently or isn't used, one sentence each
    bool not_started = false;         ///< equal to the stub except for white space
    std::vector<std::string> stars_not_begun = {};   ///< starred tasks whose parts are equal to the stub's
    std::vector<std::string> files_as_given = {};       ///< those equal to the stub's
    std::map<std::string, bool> functions_begun = {};   ///< for the functions that the student writes, by name
};

/// An answer that can't be accepted: which file, why, and how to recover. Plain text, whatever the files' names.
class CollectError : public std::runtime_error {
public:
    explicit CollectError(const std::string& text);
};

/// Reads a file, opening it once and never through a link. `shown` names it in errors. @throws CollectError.
std::string read_answer_file(const std::filesystem::path& path, const std::string& shown);

/// Removes a BOM and carriage returns, and rejects what isn't text. Notes the changes in `notes`.
/// @throws CollectError.
std::string clean_text(std::string text, const std::string& shown, std::vector<std::string>& notes);

/// Identifies an answer by the names and texts of its files.
std::string answer_digest(const Answer& answer);

/// True if the texts differ only in white space.
bool same_but_for_space(const std::string& a, const std::string& b);

/// Collects the answer in `folder`: the manifest's files only; a note lists other code there.
///
/// A planted answer is named by its patch, with or without ".patch", or by its folder in right/. Files that it doesn't
/// change come from the solution; in any other folder, a missing file is an error. `root` is the course's; messages
/// name files relative to it, and a patch's files as if they were in a folder such as wrong/no-guard.
/// @throws CollectError.
Answer collect(const Manifest& manifest, const std::filesystem::path& folder, const std::filesystem::path& root);

/// `path` as messages show it, in plain text: relative to the root if it is below it, otherwise unchanged.
std::string shown_path(const std::filesystem::path& path, const std::filesystem::path& root);

/// The ID in a line `// ---- your code, star ID (...) ----`, possibly empty; none for any other line. Pure.
std::optional<std::string> star_named_by(const std::string& line);

/// The student's parts of a file that belong to the starred task `id`: the text below a line `// ---- your code, star
/// (about 8 lines) ----`, or `..., star ID (...)` if there are several. Pure.
std::vector<std::string> starred_parts(const std::string& text, const std::string& id);

/// The text without the parts of any starred task. Pure.
std::string without_starred_parts(const std::string& text);

/// A file of an answer beside its stub.
struct FileAndStub {
    std::string text, stub;
};

/// The starred tasks that aren't begun: their parts of the answer equal the stub's. Tasks without parts of their own
/// are never included. Pure.
std::vector<std::string> stars_not_begun(const Manifest& manifest, const std::vector<FileAndStub>& files);

// Shared by the functions that read answers' texts.

/// The line above a student's part contains the first of these, one with a star the second; the line below it the
/// third.
inline constexpr std::string_view part_mark = "// ---- your code", star_mark = "// ---- your code, star",
                                  part_end_mark = "// ---- end ----";

inline bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
inline bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace course
