// SPDX-License-Identifier: MIT
// Runs twice, with g++ and with clang: LIBGPU_HOST_CXX names the compiler of the kernels.
#include <doctest/doctest.h>

#include "support/wanted_compiler.hpp"

int main(int argc, char** argv) {
    return wanted_compiler_is_missing("LIBGPU_HOST_CXX") ? 77 : doctest::Context(argc, argv).run();
}
