// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace course {

/// A patch that can't be read or doesn't fit: file, line, what was expected.
class PatchError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A line of a hunk, with its line end if it has one.
struct PatchLine {
    char kind = ' ';        ///< ' ' in both files, '-' in the old one, '+' in the new one
    std::string text;
    std::size_t number = 0; ///< in the patch, from 1
};

/// Adjacent changed lines. `begin_old` and `begin_new` count the lines before them in each file.
struct Hunk {
    std::size_t number = 0, begin_old = 0, begin_new = 0;
    std::vector<PatchLine> lines;
};

/// A patch's changes to one file.
struct FilePatch {
    std::string file;       ///< "raw_add.cu"
    std::vector<Hunk> hunks;
};

/// A unified diff of the files of one folder, as `diff -u` and git write it, below a head that isn't part of it.
struct Patch {
    std::string shown;      ///< its name in messages
    std::string head;       ///< the text above the first "---"
    std::vector<FilePatch> files;

    /// Its changes to this file; null: none.
    [[nodiscard]] const FilePatch* find(std::string_view file) const;
};

/// Parses a patch. It must be complete: a hunk has the lines that its "@@" announces and changes something. @throws
/// PatchError.
Patch read_patch(std::string_view text, std::string shown);

/// Applies the patch to a file. It must fit exactly: each line at its position; no search elsewhere.
/// @param original the file's full text @throws PatchError.
std::string apply_patch(const Patch& patch, const FilePatch& change, std::string_view original);

}  // namespace course
