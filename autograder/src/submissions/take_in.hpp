// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "submissions/intake.hpp"

namespace course {

/// How much of a stranger's files is looked at. Each is far above what an honest submission has.
struct IntakeLimits {
    std::int64_t class_entries = 5'000'000;                    ///< of the export's archive
    std::int64_t class_bytes = std::int64_t{256} << 30;        ///< that it unpacks to, as far as it is read
    std::int64_t entries = 20'000;                             ///< files and folders of a submission
    std::int64_t unpacked_bytes = std::int64_t{4} << 30;       ///< that its archives unpack to, as far as read
    std::int64_t archive_bytes = std::int64_t{256} << 20;      ///< of an archive in a folder
    std::size_t nested_archive_bytes = std::size_t{16} << 20;  ///< of an archive within an archive
    std::size_t kept_bytes = std::size_t{16} << 20;            ///< of all files of a submission that are taken
    std::size_t name_bytes = 1024;                             ///< of a path in an archive
    int depth = 3;                                             ///< archives within each other
    std::size_t problems = 25;                                 ///< lines on one submission
};

/// What is taken in, and where to.
struct IntakeOptions {
    std::filesystem::path submissions;     ///< a folder or an archive
    std::filesystem::path roster = {};     ///< a CSV file; empty: none
    std::filesystem::path into;            ///< RESULTS: gets submissions/<id>/<NN-topic>/<file> and intake.json
    std::filesystem::path root;            ///< the course's, which has exercises/
    std::vector<int> bare_exercises = {};  ///< whose files may lie without a folder of theirs; empty: all
    bool dry_run = false;                  ///< nothing is written
    IntakeLimits limits = {};
    std::function<void(std::size_t done, std::size_t all)> progress = {};  ///< after each submission
};

/// Takes in what an LMS exported, or a folder of submissions: finds out who handed in what, and writes the exercises'
/// files. Of what students wrote nothing is run and no name is used; what can't be taken is said in a line.
/// @throws IntakeError if there is nothing that can be taken in; FileError; ManifestError for a misnamed folder.
ClassIntake take_in(const IntakeOptions& options);

}  // namespace course
