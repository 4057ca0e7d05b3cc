// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "driver_run.hpp"

// Whole programs in programs/, compiled by gpucc with each C++ compiler; what they print is in a file beside them. The
// same files compile with nvcc, and print the same on a GPU.
namespace gpucc_test {

namespace {

struct Program {
    std::string name, files, options = "", arguments = "";
    int code = 0;
};

const std::vector<Program>& programs() {
    static const std::vector<Program> all = {
        {"vector_sum", "vector_sum.cu"},
        {"launch_forms", "launch_forms.cu", "", "", 3},
        {"managed_list", "managed_list.cu"},
        {"streams", "streams.cu", "-O2"},
        {"error_codes", "error_codes.cu"},
        {"rows", "rows.cu", "-std=c++14"},
        {"reduce_templates", "reduce_templates.cu", "-O2"},
        {"both_sides", "both_sides.cu", "-std=c++20"},
        {"print_and_assert", "print_and_assert.cu"},
        {"groups", "libraries/groups.cu"},
        {"query", "query.cu"},
        {"zero_copy", "zero_copy.cu", "-g -G -lineinfo -arch=sm_90"},
        {"two_files", "two_files/main.cu two_files/other.cu two_files/plain.cpp", "-lm -Xcompiler -Wall,-O1"},
        {"histogram", "histogram.cu"},
        {"matrix_class", "matrix_class.cu", "-DTILE=8 -I."},
        {"scan", "scan.cu"},
        {"game_of_life", "game_of_life.cu"},
        {"monte_carlo", "monte_carlo.cu"},
        {"linked_headers", "linked_headers.cu"},
        {"threads_of_host", "threads_of_host.cu", "-Xcompiler -pthread"},
        {"error_class", "error_class.cu"},
        {"jacobi", "jacobi.cu"},
        {"bitonic_sort", "bitonic_sort.cu"},
        {"std_traits", "libraries/std_traits.cu", "--expt-relaxed-constexpr"},
        {"halves", "libraries/halves.cu"},
        {"thrust_vectors", "libraries/thrust_vectors.cu"},
        {"random_kernel", "libraries/random_kernel.cu"},
    };
    return all;
}

}  // namespace

TEST_CASE("programs print what they print on a GPU") {
    for (const std::string& compiler : compilers()) {
        for (const Program& program : programs()) {
            CAPTURE(compiler);
            CAPTURE(program.name);
            const TemporaryDirectory folder;
            const std::string to = folder.path() + "/program";
            const ProcessResult built = run("cd " GPUCC_PROGRAMS " && " GPUCC_DRIVER " -ccbin " + compiler + " " +
                                            program.options + " " + program.files + " -o " + to);
            CHECK(built.output == "");
            REQUIRE(built.code == 0);
            const ProcessResult ran = run(to + " " + program.arguments + " 2>/dev/null");
            CHECK(ran.end == ProcessResult::End::exited);
            CHECK(ran.code == program.code);
            CHECK(ran.output == gpu::detail::host::read_file(GPUCC_PROGRAMS "/expected/" + program.name + ".txt"));
        }
    }
}

TEST_CASE("programs are clean in check mode") {
    for (const char* const name : {"vector_sum", "reduce_templates", "histogram", "scan", "matrix_class"}) {
        CAPTURE(name);
        const ProcessResult result = run("cd " GPUCC_PROGRAMS " && " GPUCC_DRIVER " --check --check-exit-code 9 " +
                                         std::string(name) + ".cu -- > /dev/null");
        CHECK(result.output == "gpucc: check mode found no mistakes\n");
        CHECK(result.code == 0);
    }
}

}  // namespace gpucc_test
