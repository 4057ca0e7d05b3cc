// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batch/executor.hpp"
#include "batch/slurm/slurm_settings.hpp"

namespace course {

// What is said to Slurm's commands, and what they answer. All pure.

/// Puts a batch's jobs, of which those of a submission are neighbours, on indexes: `chunk` submissions each, or more if
/// there were more than `most` indexes else. @return the jobs' numbers
std::vector<std::vector<std::size_t>> jobs_of_indexes(std::span<const GradeJob> jobs, int chunk, int most);

/// "0-3,7"
std::string index_list(std::span<const int> indexes);

/// Where the work area and the programs are.
struct SlurmPlaces {
    std::filesystem::path area;          ///< of this batch, below the results
    std::filesystem::path course_class;  ///< the program, on the nodes
    std::filesystem::path root;          ///< the course's folder, on the nodes
};

/// The script of each index: it becomes the program, and quotes what a shell would read otherwise.
std::string batch_script(const SlurmPlaces& places);

/// sbatch's arguments, the program first.
std::vector<std::string> sbatch_arguments(const SlurmSettings& settings, const std::filesystem::path& area,
                                          std::span<const int> indexes);

/// The array's number in what `sbatch --parsable` prints: "17;cluster".
std::optional<long> parse_submitted(std::string_view text);

/// MaxArraySize in what `scontrol show config` prints.
std::optional<int> parse_most_indexes(std::string_view text);

/// A line of the queue.
struct QueueEntry {
    static constexpr int never_begun = -1;  ///< the "index" of all those that were cancelled while they waited
    long array = 0;
    int index = 0;
    std::string state = {}, reason = {}, node = {};
    /// Waits or runs: Slurm hasn't done with it.
    [[nodiscard]] bool is_active() const;
    [[nodiscard]] bool is_waiting() const { return state == "PENDING"; }
};

/// squeue's arguments for all indexes of the jobs of this name, those that have ended included.
std::vector<std::string> squeue_arguments(const std::string& name);

/// What an index has said at its end: the kit's last message, without how to go on; else the last line.
std::string last_words(std::string_view log);

/// The latest entry of each index, by index. None if a line isn't one of squeue's.
std::optional<std::vector<QueueEntry>> parse_queue(std::string_view text);

}  // namespace course
