// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace course {

/// slurm.toml: where and how a batch runs on a cluster. docs/class/slurm.md describes its keys.
struct SlurmSettings {
    std::string partition = {};             ///< empty: the cluster's default
    int gpus = 0;                           ///< of each index
    int cpus = 1;                           ///< of each index: so many of its answers are graded at once
    std::string memory = {};                ///< of each index, as in "8G"; empty: the cluster's default
    int minutes = 0;                        ///< of each index; 0: the partition's default
    int chunk = 1;                          ///< submissions of an index
    int at_once = 0;                        ///< indexes that run at once; 0: as many as Slurm lets
    int resubmit = 2;                       ///< how often an index that was lost without a new result is tried again
    int settle_seconds = 30;                ///< so long may files of another machine take to show
    int poll_seconds = 5;                   ///< between two looks at the queue
    std::filesystem::path kit = {};         ///< the kit's folder on the nodes; empty: as here
    std::vector<std::string> options = {};  ///< more of sbatch's: "--account=teaching"
};

/// @param shown the file's name in messages  @throws ManifestError with file, line and column
SlurmSettings read_slurm_settings(const std::filesystem::path& path, const std::string& shown);

}  // namespace course
