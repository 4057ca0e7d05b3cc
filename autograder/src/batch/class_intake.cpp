// SPDX-License-Identifier: MIT
#include "batch/class_intake.hpp"

#include "report/output.hpp"
#include "submissions/take_in.hpp"
#include "support/progress_line.hpp"

namespace course {

ClassIntake class_intake(const Kit& kit, const GradeOptions& options, const std::filesystem::path& into) {
    const ProgressLine progress("taking in what was handed in ...");
    IntakeOptions intake;
    intake.submissions = options.submissions;
    intake.roster = options.roster;
    intake.into = into;
    intake.root = kit.root;
    intake.bare_exercises = options.exercises;
    intake.dry_run = options.dry_run;
    try {
        return take_in(intake);
    } catch (const IntakeError& error) {
        throw UsageError(error.what());
    }
}

}  // namespace course
