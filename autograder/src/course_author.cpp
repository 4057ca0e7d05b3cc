// SPDX-License-Identifier: MIT
// The command line for authors of lessons and exercises, and nothing else: `course` starts this program for its `course
// dev`.

#include "author/dev_commands.hpp"
#include "command_line.hpp"
#include "commands/commands.hpp"

int main(int argc, char** argv) {
    return course::guarded([&] {
        course::CommandLine line("For authors of lessons and exercises.");
        line.begin_group("dev", "for authors of lessons and exercises");
        for (course::AddCommand* const add :
             {course::add_dev_check, course::add_dev_checks, course::add_dev_mutate, course::add_dev_lessons,
              course::add_dev_edition, course::add_dev_capstone, course::add_dev_plant, course::add_dev_new})
            add(line);
        return line.run(argc, argv);
    });
}
