// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>

#include <sys/types.h>

#include "support/files.hpp"
#include "support/process.hpp"

namespace course {

/// Refuses what can't be: no submissions, results among the submissions, or the reverse. @throws UsageError
void check_class_folders(const std::filesystem::path& submissions, const std::filesystem::path& results);

/// The folder of results, held by one batch at a time or by its shards, workers included: they inherit the lock.
class ResultsLock {
public:
    enum class Holder { batch, shard };

    /// Makes the folder, for this user alone. A whole batch removes what others had begun to write when they were
    /// killed, after waiting a moment for their workers. @throws UsageError if another batch works on it, or a batch
    /// would beside shards, or it can't be written
    ResultsLock(const std::filesystem::path& results, Holder holder);

    [[nodiscard]] int descriptor() const noexcept { return file_.get(); }

private:
    void wait_for(const std::filesystem::path& results, Holder holder);

    OpenFile file_;
};

/// A folder for the half-written results of one run, in RESULTS. What a killed run leaves there goes when the next
/// batch begins; what a machine that was cut off writes after that finds no place any more.
class UnfinishedResults {
public:
    /// The lock must be held. @throws FileError
    explicit UnfinishedResults(const std::filesystem::path& results);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_.path(); }

private:
    TemporaryPath folder_;
};

/// Where the workers of this batch have their own scratch folders: always the same for the same results, so that what a
/// killed batch has left there is found. Removed at the end.
class BatchScratch {
public:
    /// Ends processes that a killed batch has left, and removes its files. The lock must be held. @throws UsageError,
    /// also if a batch that lives has the same folder
    /// @param part what tells it from the other scratch folders of the same results on this machine: a shard's name
    explicit BatchScratch(const std::filesystem::path& results, const std::string& part = {});

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_.path(); }

private:
    TemporaryPath folder_;
    OpenFile held_;
};

/// Writes a file of the results so that it is there whole or not at all, whenever this program is killed: it is written
/// in the folder `unfinished`, which must be there, and renamed. @throws FileError
void put_result(const std::filesystem::path& unfinished, const std::filesystem::path& file, std::string_view text);

/// Kills this user's processes whose TMPDIR or working folder lies in `folder`; returns how many there were.
int kill_processes_of_folder(const std::filesystem::path& folder);

}  // namespace course
