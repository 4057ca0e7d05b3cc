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

/// The submissions, or a file that describes them, can't be used at all: which file, and why. Plain text.
class IntakeError : public std::runtime_error {
public:
    explicit IntakeError(const std::string& text);
};

/// An untrusted name for messages: on one line, with bytes that aren't UTF-8 or aren't visible as \xE9.
std::string shown_name(std::string_view bytes);

/// True if this is UTF-8 and valid in a file name on any system: no control character, no slash, no backslash.
bool is_part_of_file_name(std::string_view text);

/// The text with A to Z in lower case.
std::string lower_ascii(std::string_view text);

/// A canonical form of a person's name: its letters and digits, without accents, capitals and blanks. "Müller, Zoë" and
/// "muller zoe" become "mullerzoe".
std::string folded_name(std::string_view text);

/// A file name for a student's ID, with only A-Z a-z 0-9 . _ @ + -: digits at the end keep changed names distinct.
std::string safe_file_name(std::string_view id);

/// The parts of an archive's path, without "." and empty ones; a backslash is a separator too.
std::vector<std::string> path_parts(std::string_view path);

/// True if the text consists of decimal digits, at least one.
bool is_number(std::string_view text);

/// The original of a numbered copy, as LMSs and browsers name copies: "raw_add (2).cu", "raw_add(2).cu", "raw_add-2.cu"
/// and "raw_add 2.cu" are "raw_add.cu" and 2. A copy of a copy, "raw_add (1)-2.cu", comes after both.
struct NumberedCopy {
    std::string original;
    std::int64_t number = 0;  ///< 0: no copy; larger is later
};

/// The name itself, then the possible originals. Pure.
std::vector<NumberedCopy> possible_originals(const std::string& file_name);

/// The stem without a copy's number: "lea" for "lea (1)", "lea(1)" and "lea-1". Pure.
std::string_view without_copy_number(std::string_view stem);

/// The copy's number at the end of an archive's name; 0: none. Pure.
std::int64_t copy_number_of_archive(std::string_view file_name);

/// "submission.tar.gz" without its archive endings; the text itself if it has none.
std::string_view without_archive_ending(std::string_view name);

/// True for a name with an archive's ending.
inline bool has_archive_ending(std::string_view name) { return without_archive_ending(name).size() != name.size(); }

/// What operating systems leave behind: .DS_Store, __MACOSX, ._name, Thumbs.db.
bool is_litter(std::string_view name);

/// Parses an LMS's time: "2026-11-23T18:00:00Z", "2022-06-25 13:16:26 -0600", or Moodle's "Wednesday, 10 June 2026,
/// 2:14 PM" with English months. Without a time zone it is in this machine's (TZ). Nothing if it isn't a time.
std::optional<std::chrono::sys_seconds> parse_stamp(std::string_view text);

/// True if such a text has a time zone. Pure.
bool names_zone(std::string_view stamp);

/// This machine's present time zone: "CET".
std::string zone_of_machine();

/// True for a name in the machine's time zone database: "Europe/Berlin".
bool is_time_zone(const std::string& name);

/// The environment's TZ; empty: it names none. @throws IntakeError for one that the C library would take for UTC
std::string zone_of_environment();

/// "2026-11-23T18:00:00Z". Pure.
std::string stamp_text(std::chrono::sys_seconds time);

}  // namespace course
