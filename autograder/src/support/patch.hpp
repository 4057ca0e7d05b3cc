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

/// Lines that stand together. `begin_old` and `begin_new` count the lines before them in each file.
struct Hunk {
    std::size_t number = 0, begin_old = 0, begin_new = 0;
    std::vector<PatchLine> lines;
};

/// What a patch changes in one file.
struct FilePatch {
    std::string file;       ///< "raw_add.cu"
    std::vector<Hunk> hunks;
};

/// A unified diff of one folder's files, as `diff -u` and git write it, below a head that isn't part of it.
struct Patch {
    std::string shown;      ///< as messages name it
    std::string head;       ///< what stands above the first "---"
    std::vector<FilePatch> files;

    /// What it changes in this file; null: nothing.
    [[nodiscard]] const FilePatch* find(std::string_view file) const;
};

/// Reads a patch. It must be complete: a hunk has the lines that its "@@" announces and changes something. @throws
/// PatchError.
Patch read_patch(std::string_view text, std::string shown);

/// The file after the patch, which must fit exactly: each line at its place, and no search for it elsewhere.
/// @param original all of the file's text @throws PatchError.
std::string apply_patch(const Patch& patch, const FilePatch& change, std::string_view original);

}  // namespace course
