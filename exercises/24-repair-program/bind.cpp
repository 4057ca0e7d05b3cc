// SPDX-License-Identifier: MIT
#include <course/bind.hpp>
#include <course/program.hpp>

/// A run of the program.
std::vector<float> heat_program(int steps, float rate, const std::vector<float>& rod) {
    const int lengths[] = {static_cast<int>(rod.size()), steps};
    course::write_values<int>("input.bin", lengths);
    course::write_values<float>("input.bin", {&rate, 1}, true);
    course::write_values<float>("input.bin", rod, true);
    course::run_to_success({"input.bin", "result.bin"});
    return course::read_values<float>("result.bin");
}
COURSE_BIND(heat_program)
