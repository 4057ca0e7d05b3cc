// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace course {

/// What is handed in, or what describes it, can't be used at all: which file, why. Plain text.
class IntakeError : public std::runtime_error {
public:
    explicit IntakeError(const std::string& text);
};

/// A name of somebody else's as a message shows it: on one line, and what isn't UTF-8 or can't be seen as \xE9.
std::string shown_name(std::string_view bytes);

/// True if this is UTF-8 and can be in a file's name on any system: no control character, no slash, no backslash.
bool is_part_of_file_name(std::string_view text);

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

/// What a numbered copy is a copy of, as LMS and browsers name them: "raw_add (2).cu", "raw_add(2).cu", "raw_add-2.cu"
/// and "raw_add 2.cu" are "raw_add.cu" and 2. A copy of a copy, "raw_add (1)-2.cu", comes after both.
struct NumberedCopy {
    std::string original;
    std::int64_t number = 0;  ///< 0: no copy; the larger is the later
};

/// The name itself, then what it may be a copy of. Pure.
std::vector<NumberedCopy> possible_originals(const std::string& file_name);

/// A name without its ending that isn't followed by the number of a copy: "lea" of "lea (1)", "lea(1)" and "lea-1".
/// Pure.
std::string_view without_copy_number(std::string_view stem);

/// The number that an archive's name ends with; 0: none. Pure.
std::int64_t copy_number_of_archive(std::string_view file_name);

/// "submission.tar.gz" without what says that it is an archive; the same text if nothing does.
std::string_view without_archive_ending(std::string_view name);

/// True for a name that ends as an archive's.
inline bool has_archive_ending(std::string_view name) { return without_archive_ending(name).size() != name.size(); }

/// What operating systems leave behind: .DS_Store, __MACOSX, ._name, Thumbs.db.
bool is_litter(std::string_view name);

/// The moment that an LMS writes: "2026-11-23T18:00:00Z", "2022-06-25 13:16:26 -0600", or Moodle's "Wednesday, 10 June
/// 2026, 2:14 PM" with English months. One that names no time zone is of this machine's (TZ). Nothing if it is none.
std::optional<std::chrono::sys_seconds> parse_stamp(std::string_view text);

/// True if such a text names its time zone. Pure.
bool names_zone(std::string_view stamp);

/// This machine's time zone, as its clock shows it now: "CET".
std::string zone_of_machine();

/// True for a name in the machine's time zone database: "Europe/Berlin".
bool is_time_zone(const std::string& name);

/// The environment's TZ; empty: it names none. @throws IntakeError for one that the C library would take for UTC
std::string zone_of_environment();

/// "2026-11-23T18:00:00Z". Pure.
std::string stamp_text(std::chrono::sys_seconds time);

}  // namespace course
