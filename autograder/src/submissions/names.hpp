// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace course {

/// A name of somebody else's as a message shows it: on one line, and what isn't UTF-8 or can't be seen as \xE9.
std::string shown_name(std::string_view bytes);

/// Letters in lower case, for A to Z only.
std::string lower_ascii(std::string_view text);

/// What different writings of a person's name have in common: its letters and digits, without accents, capitals and
/// blanks. "Müller, Zoë" and "muller zoe" are "mullerzoe".
std::string folded_name(std::string_view text);

/// A file's name for a student's ID, with nothing but A-Z a-z 0-9 . _ @ + -: what had to be changed is told apart by
/// digits at the end.
std::string safe_file_name(std::string_view id);

/// The parts of an archive's path; "." and empty ones are left out, and a backslash separates as well.
std::vector<std::string> path_parts(std::string_view path);

/// True if these are decimal digits, one at least.
bool is_number(std::string_view text);

/// "submission.tar.gz" without what says that it is an archive; the same text if nothing does.
std::string_view without_archive_ending(std::string_view name);

/// True for a name that ends as an archive's.
inline bool has_archive_ending(std::string_view name) { return without_archive_ending(name).size() != name.size(); }

/// What operating systems leave behind: .DS_Store, __MACOSX, ._name, Thumbs.db.
bool is_litter(std::string_view name);

}  // namespace course
