// SPDX-License-Identifier: MIT
// Runs on the device that LIBGPU_DEVICE names, and with the compiler that LIBGPU_HOST_CXX names.
#include <doctest/doctest.h>

#include "support/wanted_compiler.hpp"
#include "support/wanted_gpu.hpp"

int main(int argc, char** argv) {
    if (wanted_gpu_is_missing() || wanted_compiler_is_missing("LIBGPU_HOST_CXX")) return 77;
    return doctest::Context(argc, argv).run();
}
