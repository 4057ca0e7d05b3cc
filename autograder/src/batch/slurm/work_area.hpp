// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "batch/machine_grading.hpp"

namespace course {

// RESULTS/.slurm/NAME: what a batch and its nodes tell each other, for this user alone. It goes when the batch is over,
// and what a node that is cut off still writes then can't become a result any more: half-written ones lie in here.
//
//   batch       how to grade, then the jobs, a line each
//   script      what Slurm starts for each index
//   done/7      what became of the jobs of index 7
//   log/7-81    what index 7 of the array 81 has printed
//   unfinished/ half-written results, a folder for each run of an index

/// A batch on its way.
struct SlurmBatch {
    GradingSetup setup = {};  ///< `results` as the nodes see it
    std::string kit = {};     ///< grader_digest() of this kit: another one on a node grades otherwise
    std::vector<std::vector<GradeJob>> indexes = {};
};

/// What a node says at the end of an index.
struct IndexReport {
    std::string device, sandbox;       ///< for people
    std::vector<JobOutcome> outcomes;  ///< of the index' jobs, in their order
};

std::string batch_text(const SlurmBatch& batch);
/// None for a text that isn't a whole one. Pure, as are the others.
std::optional<SlurmBatch> parse_batch(std::string_view text);
std::string report_text(const IndexReport& report);
std::optional<IndexReport> parse_report(std::string_view text);

class WorkArea {
public:
    /// Makes an area with a name of its own. @throws FileError
    static WorkArea make(const std::filesystem::path& results, const SlurmBatch& batch);
    /// The one that an earlier call has left, if there is any; others beside it are removed.
    static std::optional<WorkArea> left_over(const std::filesystem::path& results);
    explicit WorkArea(std::filesystem::path path) : path_(std::move(path)) {}

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    [[nodiscard]] std::string name() const { return path_.filename().string(); }  ///< of the Slurm jobs, too
    /// None if it is gone, or was never whole.
    [[nodiscard]] std::optional<SlurmBatch> batch() const;
    void write_script(const std::string& text) const;
    /// Which indexes have said what became of them.
    [[nodiscard]] std::set<int> done() const;
    [[nodiscard]] std::optional<IndexReport> report(int index) const;
    void write_report(int index, const IndexReport& report) const;  ///< @throws FileError
    /// A folder of this run alone. @throws FileError if the area is gone
    [[nodiscard]] std::filesystem::path make_unfinished() const;
    /// What an index has printed in its runs.
    [[nodiscard]] std::string log(int index) const;
    void remove() const noexcept;

private:
    std::filesystem::path path_;
};

}  // namespace course
