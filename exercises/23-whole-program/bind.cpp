// SPDX-License-Identifier: MIT
#include <course/bind.hpp>
#include <course/program.hpp>

namespace {

void write_input(float a, const std::vector<float>& x, const std::vector<float>& y) {
    const int n = static_cast<int>(x.size());
    course::write_values<int>("input.bin", {&n, 1});
    course::write_values<float>("input.bin", {&a, 1}, true);
    for (const std::vector<float>* values : {&x, &y}) course::write_values<float>("input.bin", *values, true);
}

}  // namespace

/// A run of the program.
std::vector<float> saxpy_program(float a, const std::vector<float>& x, const std::vector<float>& y) {
    write_input(a, x, y);
    course::run_to_success({"input.bin", "result.bin"});
    return course::read_values<float>("result.bin");
}
COURSE_BIND(saxpy_program)

/// A run in which one call of CUDA's API fails: its exit code, and what it wrote if that is 0.
std::pair<int, std::vector<float>> failing_program(int failing_call, float a, const std::vector<float>& x,
                                                   const std::vector<float>& y) {
    write_input(a, x, y);
    gpucc::fail_call(failing_call);
    const int code = course::run_silently({"input.bin", "result.bin"});
    return {code, code == 0 ? course::read_values<float>("result.bin") : std::vector<float>()};
}
COURSE_BIND(failing_program)
