// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>

#include <sys/types.h>

#include "support/cleanup.hpp"
#include "support/open_file.hpp"

namespace course {

/// Refuses what can't be: no submissions, results among the submissions, or the reverse. @throws UsageError
void check_class_folders(const std::filesystem::path& submissions, const std::filesystem::path& results);

/// The folder of results, held by one batch at a time, workers included: they inherit the lock.
class ResultsLock {
public:
    /// Makes the folder, for this user alone, and removes what a killed batch had begun to write, after waiting a
    /// moment for its workers. @throws UsageError if another batch works on it, or it can't be written
    explicit ResultsLock(const std::filesystem::path& results);

    [[nodiscard]] int descriptor() const noexcept { return file_.get(); }

private:
    OpenFile file_;
};

/// Where the workers of this batch have their own scratch folders: always the same for the same results, so that what a
/// killed batch has left there is found. Removed at the end.
class BatchScratch {
public:
    /// Ends processes that a killed batch has left, and removes its files. The lock must be held. @throws UsageError
    /// @param part what tells it from the other scratch folders of the same results on this machine
    explicit BatchScratch(const std::filesystem::path& results, const std::string& part = {});

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_.path(); }

private:
    TemporaryPath folder_;
};

/// Writes a file of the results so that it is there whole or not at all, whenever this program is killed. What that
/// leaves half-written lies in a folder of its own, and goes when the next batch begins. @throws FileError
/// @param unfinished that folder, which must be there; empty: the results' own, which is made if need be
void put_result(const std::filesystem::path& results, const std::filesystem::path& file, std::string_view text,
                const std::filesystem::path& unfinished = {});

/// Kills this user's processes whose TMPDIR or working folder lies in `folder`; returns how many there were.
int kill_processes_of_folder(const std::filesystem::path& folder);

}  // namespace course
