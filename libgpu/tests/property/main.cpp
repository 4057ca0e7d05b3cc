// SPDX-License-Identifier: MIT
// gpu_property_test [--kernels] [--seed S] [--cases N] [--case K [--size 1..3]] [--dump FILE] [--threads N]
// gpu_property_test --print N: the programs of the first N cases of each plan
// gpu_property_test --compare FILE FILE
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "jit/kernel_store.hpp"
#include "property/trial.hpp"
#include "support/wanted_gpu.hpp"

int main(int argc, char** argv) {
    property::Options& options = property::options();
    for (int k = 1; k < argc; ++k) {
        const std::string_view name = argv[k];
        if (name == "--kernels") options.kernels = true;
        if (k + 1 == argc) break;
        const char* value = argv[k + 1];
        if (name == "--compare") {
            if (k + 2 >= argc) return std::printf("--compare needs two files\n"), 4;
            return property::compare_dumps(value, argv[k + 2]) ? 0 : 1;
        }
        if (name == "--print")
            options.print = std::atoll(value);
        else if (name == "--seed")
            options.seed = std::strtoull(value, nullptr, 10);
        else if (name == "--cases")
            options.cases = std::atoll(value);
        else if (name == "--case")
            options.only = std::atoll(value);
        else if (name == "--size")
            options.size = std::atoi(value);
        else if (name == "--threads")
            options.threads = std::atoi(value);
        else if (name == "--dump")
            options.dump = value;
    }
    if (wanted_gpu_is_missing()) return 77;
    gpu::detail::check_kernel_keys(true);
    return doctest::Context(argc, argv).run();
}
