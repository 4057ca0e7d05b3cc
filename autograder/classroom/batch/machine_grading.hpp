// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "classroom/batch/grade.hpp"
#include "classroom/batch/results/results_folder.hpp"
#include "classroom/batch/workers/local_executor.hpp"
#include "classroom/batch/workers/worker_count.hpp"
#include "kit/kit.hpp"
#include "kit/probe.hpp"
#include "sandbox/sandbox.hpp"

namespace course {

/// What the workers of one run read and write, and hold.
struct WorkerPlaces {
    std::filesystem::path answers;     ///< one folder per submission
    std::filesystem::path results;     ///< receives results/SUBMISSION/NN-topic.json
    std::filesystem::path unfinished;  ///< for half-written results
    std::filesystem::path scratch;
    int lock = -1;                     ///< a descriptor that the workers hold; -1: none
    int messages = -1;                 ///< a descriptor for the workers' messages
};

/// The steps before this machine's workers can start, in order: probing it, the exercises' checks, their command.
class MachineGrading {
public:
    MachineGrading(const Kit& kit, GradeOptions options)
        : kit_(kit), options_(std::move(options)), workers_(options_.workers) {}

    /// Determines the device, the sandbox, and how many answers run in parallel.
    /// @throws UsageError if answers would run outside a sandbox
    void look_at_machine();
    [[nodiscard]] const ProbeAnswer& device() const noexcept { return device_; }
    [[nodiscard]] const Tiers& tiers() const noexcept { return tiers_; }

    /// How many answers are graded at once: as many as were asked for, else what look_at_machine() chose.
    [[nodiscard]] int workers() const noexcept { return workers_; }

    /// Builds the check and the hidden check of each exercise of the jobs, once each, a few at a time; for many jobs
    /// also a precompiled header. Meanwhile probes the GPUs, once each for all workers, and measures their bandwidth if
    /// one of the exercises has a speed line.
    /// @return the hidden checks, by exercise number; empty paths for those without. @throws BuildFault
    std::map<int, std::filesystem::path> build_checks(std::span<const GradeJob> jobs,
                                                      const std::filesystem::path& scratch);

    [[nodiscard]] LocalOptions local_options(const WorkerPlaces& places) const;

private:
    [[nodiscard]] std::string wanted_device() const;
    [[nodiscard]] SharedGpus shared_gpus() const;
    [[nodiscard]] std::string fault_of_gpu(const std::string& gpu, const std::string& device) const;

    const Kit& kit_;
    GradeOptions options_;
    int workers_;   ///< answers at once; 0: by cores, memory and GPUs
    ProbeAnswer device_;
    Tiers tiers_;
    std::filesystem::path header_;
    std::map<std::string, ProbeAnswer> gpus_;   ///< the facts of each, by CUDA_VISIBLE_DEVICES
};

/// Judges the course's own solutions before a class's answers, if this edition has them.
///
/// Hidden cases that the solution doesn't pass would cost students points for nothing, so each exercise's are run on it
/// once. For an exercise with several answers, the workers also store what the solution's kernels compile to: an answer
/// with the same kernel, which is common with array expressions, needs no compiler for it.
/// @param checks the plug-ins of hidden cases, by exercise number; empty paths for those without
/// @param places of the class's workers; solutions and their results go into a folder of the scratch folder
/// @throws UsageError that names the task, BatchStopped, FileError
void try_solutions(const Kit& kit, std::span<const GradeJob> answers,
                   const std::map<int, std::filesystem::path>& checks, const MachineGrading& machine,
                   WorkerPlaces places);

}  // namespace course
