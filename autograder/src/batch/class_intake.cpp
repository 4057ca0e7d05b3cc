// SPDX-License-Identifier: MIT
#include "batch/class_intake.hpp"

#include <system_error>

#include "batch/results/results_folder.hpp"
#include "submissions/take_in.hpp"
#include "support/files.hpp"
#include "support/progress.hpp"

namespace course {

namespace {

constexpr std::size_t max_roster_bytes = std::size_t{64} << 20;

}  // namespace

ClassIntake class_intake(const Kit& kit, const GradeOptions& options, const IntakeFolders& folders) {
    const ProgressLine progress("taking in what was handed in ...");
    IntakeOptions intake;
    intake.submissions = options.submissions;
    // Without it the same students had other IDs next time.
    const std::filesystem::path kept = folders.results / "roster.csv";
    std::error_code missing;
    const bool has_kept = options.roster.empty() && std::filesystem::is_regular_file(kept, missing);
    intake.roster = has_kept ? kept : std::filesystem::path(options.roster);
    intake.into = folders.into;
    intake.root = kit.root;
    intake.bare_exercises = options.exercises;
    intake.dry_run = options.dry_run;
    try {
        ClassIntake taken = take_in(intake);
        if (!options.roster.empty() && !options.dry_run)
            put_result(folders.unfinished, kept, read_file(options.roster, max_roster_bytes));
        return taken;
    } catch (const IntakeError& error) {
        throw UsageError(error.what());
    }
}

}  // namespace course
