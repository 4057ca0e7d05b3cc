// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
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
/// A planted answer (a folder below the exercise's wrong/) may leave files out: those come from the solution. Of any
/// other folder a missing file is an error. `root` is the course's, from which messages name files.
/// @throws CollectError.
Answer collect(const Manifest& manifest, const std::filesystem::path& folder, const std::filesystem::path& root);

/// `path` as messages show it, in plain text: relative to the root if it is below it, else as it is.
std::string shown_path(const std::filesystem::path& path, const std::filesystem::path& root);

}  // namespace course
