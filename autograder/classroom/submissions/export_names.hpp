// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "classroom/submissions/formats/archive_reader.hpp"
#include "classroom/submissions/layout.hpp"
#include "classroom/submissions/take_in.hpp"
#include "support/files.hpp"

namespace course {

/// The names at an export's top level, before reading any submission.
struct ExportNames {
    bool is_archive = false;
    std::filesystem::path path;                            ///< the folder or archive that has the submissions
    std::vector<std::string> around;                       ///< in an archive, the single folder around everything
    std::vector<TopName> names;                            ///< sorted
    std::unordered_map<std::string, std::size_t> entries;  ///< in an archive: the number of entries below each name
    std::optional<std::string> gradescope;                 ///< submission_metadata.yml
    std::vector<std::string> problems;
};

/// Examines `options.submissions`, and the single folder or archive that it may consist of. A folder that has only
/// exports, for example one per assignment, gives them all. @throws IntakeError.
std::vector<ExportNames> read_exports(const IntakeOptions& options, const AnswerPlaces& places);

/// The parts of an entry's path at and below the export's top; empty for one that isn't below it.
std::vector<std::string> below_top(const ExportNames& exported, const std::string& path, std::size_t max_bytes);

/// For an export that can't be read to its end: the answers behind that place would count as "handed in nothing".
/// @throws IntakeError always
[[noreturn]] void refuse_broken_export(const std::filesystem::path& path, const ArchiveError& why);

/// The archive, opened for reading. @throws IntakeError, ArchiveError
ArchiveReader open_export(const std::filesystem::path& path, std::int64_t& unpacked_bytes);

}  // namespace course
