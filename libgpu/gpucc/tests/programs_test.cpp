// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "driver_run.hpp"
#include "parallel.hpp"
#include "program_list.hpp"

// Whole programs in programs/, compiled by gpucc with each C++ compiler; what they print is in a file beside them. The
// same files compile with nvcc, and print the same on a GPU.
namespace gpucc_test {

namespace {

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
        {"std_more", "libraries/std_more.cu", "--expt-relaxed-constexpr"},
        {"api_calls", "api_calls.cu"},
        {"textures", "libraries/textures.cu"},
        {"graphs", "libraries/graphs.cu"},
        {"brain_floats", "libraries/brain_floats.cu"},
        {"thrust_algorithms", "libraries/thrust_algorithms.cu"},
        {"thrust_lambdas", "libraries/thrust_lambdas.cu", "--extended-lambda"},
        {"cub_device", "libraries/cub_device.cu"},
        {"blas", "libraries/blas.cu", "-lcublas"},
        {"random_host", "libraries/random_host.cu", "-lcurand"},
    };
    return all;
}

// The programs that another compiler than g++ compiles, and check mode runs, in `make test`; the others, in
// `make test-long`.
bool is_chosen(std::size_t k) { return is_long() || k % 6 == 0; }

// What check mode says of a program: some make wrong calls on purpose, and look at their errors.
bool is_clean(const std::string& name, const std::string& said) {
    const bool makes_errors =
        name == "error_codes" || name == "error_class" || name == "memory/error_recovery" || name == "graphs";
    return said.ends_with(makes_errors ? ", reported above\n" : "gpucc: check mode found no mistakes\n");
}

/// What became of a program.
struct Outcome {
    ProcessResult built, ran, checked;
};

}  // namespace

TEST_CASE("programs print what they print on a GPU, and are clean in check mode") {
    std::vector<Program> all = programs();
    all.insert(all.end(), programs_by_subject().begin(), programs_by_subject().end());
    CHECK(all.size() >= 60);
    for (const std::string& compiler : compilers()) {
        std::vector<Program> chosen;
        std::vector<bool> is_checked;
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (compiler != "g++" && !is_chosen(k)) continue;
            chosen.push_back(all[k]);
            const bool is_right = all[k].name != "print_and_assert";  // an assertion of it fails, as it should
            is_checked.push_back(compiler == "g++" && is_right && is_chosen(k + 3));
        }
        const std::vector<Outcome> outcomes = in_parallel<Outcome>(chosen.size(), [&](std::size_t k) {
            const Program& program = chosen[k];
            const TemporaryDirectory folder;
            const std::string to = folder.path() + "/program";
            Outcome outcome;
            outcome.built = run("cd " GPUCC_PROGRAMS " && " GPUCC_DRIVER " -ccbin " + compiler + " " + program.options +
                                " " + program.files + " -o " + to);
            if (outcome.built.code != 0) return outcome;
            outcome.ran = run(to + " " + program.arguments + " 2>/dev/null");
            if (is_checked[k])
                outcome.checked = run(GPUCC_DRIVER " --check " + to + " -- " + program.arguments + " 2>&1 >/dev/null");
            return outcome;
        });
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            const auto& [built, ran, checked] = outcomes[k];
            CAPTURE(compiler);
            CAPTURE(chosen[k].name);
            CHECK(built.output == "");
            CHECK(built.code == 0);
            CHECK(ran.end == ProcessResult::End::exited);
            CHECK(ran.code == chosen[k].code);
            CHECK(ran.output == gpu::detail::host::read_file(GPUCC_PROGRAMS "/expected/" + chosen[k].name + ".txt"));
            CAPTURE(checked.output);
            if (is_checked[k]) CHECK(is_clean(chosen[k].name, checked.output));
        }
    }
}

}  // namespace gpucc_test
