// SPDX-License-Identifier: MIT
// The CUDA backend on a real GPU. With `--fault` and the like it is the program that a test starts to see it fail: such
// an error breaks the process's context, or ends it, so it can't happen among the other tests.
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

int give_a_host_pointer() {
    const auto reads = raw("__global__ void reads(const int* p, int* z) { *z = *p; }", "reads");
    void* const z = backend().allocate(0, sizeof(int), nullptr);
    const int local = 7;
    try {
        launch(*reads, line(1, 1), nullptr, &local, static_cast<int*>(z));
        backend().synchronize_device(0);
        std::printf("no error\n");  // there are machines whose GPU reads all memory
    } catch (const gpu::LaunchError& error) {
        std::printf("LaunchError: %s\n", error.what());
    }
    return 0;
}

int read_on_the_host() {
    void* const data = backend().allocate(0, 400, nullptr);
    backend().describe(0, data, gpu::DType::float32, {100});
    std::printf("%g\n", static_cast<double>(static_cast<volatile float*>(data)[3]));
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
    if (argc == 2 && std::string_view(argv[1]) == "--host-pointer") return give_a_host_pointer();
    if (argc == 2 && std::string_view(argv[1]) == "--host-access") return read_on_the_host();
    return doctest::Context(argc, argv).run();
}
