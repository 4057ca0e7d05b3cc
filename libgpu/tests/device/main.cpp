// SPDX-License-Identifier: MIT
// The CUDA backend on a real GPU. With `--fault` it is the program that a test starts to see a kernel fail: such an
// error breaks the process's context, so it can't happen among the other tests.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <string_view>

#include <gpu/error.hpp>

#include "on_gpu.hpp"

namespace {

gpu::detail::Backend* the_backend = nullptr;

int run_faulty_kernel() {
    const auto good = raw("__global__ void harmless(int) {}", "harmless");
    const auto bad = raw("__global__ void writes_to_null(int* p) { *p = 1; }", "writes_to_null");
    try {
        launch(*good, line(1, 1), nullptr, 7);
        launch(*bad, line(1, 1), nullptr, static_cast<int*>(nullptr));
        launch(*good, line(1, 1), nullptr, 7);
        backend().synchronize_device(0);
        std::printf("no error\n");
    } catch (const gpu::LaunchError& error) {
        std::printf("LaunchError: %s\n", error.what());
    } catch (const gpu::Error& error) {
        std::printf("another error: %s\n", error.what());
    }
    return 0;
}

}  // namespace

gpu::detail::Backend& backend() { return *the_backend; }

int main(int argc, char** argv) {
    std::string why_not;
    const auto owner = gpu::detail::make_cuda_backend(why_not);
    if (!owner) {
        std::printf("SKIP: no usable GPU: %s\n", why_not.c_str());
        return 77;
    }
    the_backend = owner.get();
    if (argc == 2 && std::string_view(argv[1]) == "--fault") return run_faulty_kernel();
    return doctest::Context(argc, argv).run();
}
