// SPDX-License-Identifier: MIT
#include "batch/slurm/slurm_index.hpp"

#include <cstdlib>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include "batch/grade_key.hpp"
#include "batch/results_folder.hpp"
#include "batch/slurm/work_area.hpp"
#include "report/output.hpp"
#include "support/cleanup.hpp"

namespace course {

namespace {

/// What another kit said would be stored as what this batch's own says.
void look_at_kit(const Kit& kit, const SlurmBatch& batch, const std::vector<GradeJob>& jobs) {
    if (batch.kit != grader_digest())
        throw UsageError("this node's kit has another version than the one that planned the batch");
    std::set<int> seen;
    for (const GradeJob& job : jobs)
        if (seen.insert(job.number).second && !is_key_of_exercise(job.key, exercise_digest(kit.find(job.number).path)))
            throw UsageError(
                fmt::format("this node's kit has another {} than the one that planned the batch", job.folder));
}

}  // namespace

int grade_index_command(const Kit& kit, const IndexOptions& options) {
    const WorkArea area(options.area);
    std::optional<SlurmBatch> batch = area.batch();
    if (!batch) {
        print_error("this batch is over\n");
        return 0;
    }
    if (options.index < 0 || options.index >= static_cast<int>(batch->indexes.size()))
        throw UsageError("this is for the script that course grade has submitted");
    const std::vector<GradeJob>& jobs = batch->indexes[static_cast<std::size_t>(options.index)];
    look_at_kit(kit, *batch, jobs);

    const BatchScratch scratch(batch->setup.results, fmt::format("-{}-{}", area.name(), options.index));
    ::setenv("TMPDIR", scratch.path().c_str(), 1);
    const TemporaryPath unfinished(area.make_unfinished());
    batch->setup.unfinished = unfinished.path();
    MachineGrading machine(kit, batch->setup);
    machine.look_at_machine();

    IndexReport report{machine.device().name, machine.tiers().text(), std::vector<JobOutcome>(jobs.size())};
    std::vector<GradeJob> todo;
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < jobs.size(); ++k)
        if (const auto outcome = written_result(batch->setup.results, jobs[k])) {  // by a run that was lost
            report.outcomes[k] = *outcome;
        } else {
            todo.push_back(jobs[k]);
            places.push_back(k);
        }
    if (!todo.empty()) {
        machine.build_checks(todo, scratch.path(), false);
        LocalExecutor executor(machine.local_options(-1, STDERR_FILENO, scratch.path()));
        executor.run(todo, [&](std::size_t job, const JobOutcome& outcome) { report.outcomes[places[job]] = outcome; });
    }
    area.write_report(options.index, report);
    return 0;
}

}  // namespace course
