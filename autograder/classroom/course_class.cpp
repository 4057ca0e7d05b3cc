// SPDX-License-Identifier: MIT
// The command line for graders of a class, and nothing else: `course` starts this program for its commands.

#include "classroom/batch/grade.hpp"
#include "classroom/batch/workers/worker.hpp"
#include "classroom/class_report/report_command.hpp"
#include "classroom/exports/exports.hpp"
#include "classroom/grades/class_commands.hpp"
#include "classroom/similar/similar_command.hpp"
#include "command_line.hpp"

int main(int argc, char** argv) {
    return course::guarded([&] {
        course::CommandLine line("Grades a class.");
        for (course::AddCommand* const add :
             {course::add_grade, course::add_grade_worker, course::add_confirm, course::add_mark, course::add_report,
              course::add_similar, course::add_export})
            add(line);
        return line.run(argc, argv);
    });
}
