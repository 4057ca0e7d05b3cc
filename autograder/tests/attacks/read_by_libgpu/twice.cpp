// SPDX-License-Identifier: MIT
@COMMON@
#include <gpu/raw_kernel.hpp>
static void attack() {
    try {
        std::puts(std::string(gpu::file("@ROOT@/solutions/01-twice/twice.cpp").text()).c_str());
    } catch (const std::exception& error) {
        std::puts(error.what());
    }
}
