// SPDX-License-Identifier: MIT
// Runs on the device that LIBGPU_DEVICE names; asked for a GPU on a machine without one, it says so and is skipped.
#include <doctest/doctest.h>

#include "jit/kernel_store.hpp"
#include "support/wanted_gpu.hpp"

int main(int argc, char** argv) {
    if (wanted_gpu_is_missing()) return 77;
    gpu::detail::check_kernel_keys(true);
    return doctest::Context(argc, argv).run();
}
