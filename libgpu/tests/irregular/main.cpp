// SPDX-License-Identifier: MIT
// Runs on the device that LIBGPU_DEVICE names, with the compiler that LIBGPU_HOST_CXX names. IRREGULAR_MISTAKES=1 runs
// the variants with mistakes, and these alone: no GPU may run them.
#include <doctest/doctest.h>

#include <cstdlib>

#include "support/wanted_compiler.hpp"
#include "support/wanted_gpu.hpp"

int main(int argc, char** argv) {
    if (wanted_gpu_is_missing() || wanted_compiler_is_missing("LIBGPU_HOST_CXX")) return 77;
    doctest::Context context(argc, argv);
    const bool mistakes = std::getenv("IRREGULAR_MISTAKES") != nullptr;
    context.addFilter(mistakes ? "test-case" : "test-case-exclude", "mistakes:*");
    return context.run();
}
