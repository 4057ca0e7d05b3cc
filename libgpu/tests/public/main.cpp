// SPDX-License-Identifier: MIT
// Runs on the device that LIBGPU_DEVICE names; asked for a GPU on a machine without one, it says so and is skipped.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <gpu/device.hpp>

int main(int argc, char** argv) {
    const char* wanted = std::getenv("LIBGPU_DEVICE");
    if (wanted != nullptr && std::string_view(wanted).starts_with("cuda")) {
        if (const std::string reason = gpu::why_no_gpu(); !reason.empty()) {
            std::printf("SKIP: %s\n", reason.c_str());
            return 77;
        }
    }
    return doctest::Context(argc, argv).run();
}
