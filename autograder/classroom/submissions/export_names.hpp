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

/// An export as it lies there: what is at its top, before anything of a submission is read.
struct ExportNames {
    bool is_archive = false;
    std::filesystem::path path;                            ///< of the folder or archive that holds the submissions
    std::vector<std::string> around;                       ///< in an archive, the one folder that everything is in
    std::vector<TopName> names;                            ///< sorted
    std::unordered_map<std::string, std::size_t> entries;  ///< in an archive: how many belong to each name
    std::optional<std::string> gradescope;                 ///< submission_metadata.yml
    std::vector<std::string> problems;
};

/// Looks at `options.submissions`, and into the one folder or archive that it may consist of. A folder of nothing but
/// exports, one for each assignment perhaps, gives them all. @throws IntakeError.
std::vector<ExportNames> read_exports(const IntakeOptions& options, const AnswerPlaces& places);

/// The parts of an entry's path at and below the export's top; empty for one that isn't below it.
std::vector<std::string> below_top(const ExportNames& exported, const std::string& path, std::size_t max_bytes);

/// For an export that can't be read to its end: the answers behind that place would count as "handed in nothing".
/// @throws IntakeError always
[[noreturn]] void refuse_broken_export(const std::filesystem::path& path, const ArchiveError& why);

/// The archive, opened for reading. @throws IntakeError, ArchiveError
ArchiveReader open_export(const std::filesystem::path& path, std::int64_t& unpacked_bytes);

}  // namespace course
