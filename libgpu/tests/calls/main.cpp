// SPDX-License-Identifier: MIT
// What calls cost the CUDA backend, on a runtime that only counts. `--repeat CALL N` makes one call N times: for
// callgrind and perf. `--first KERNEL N` times first calls of N kernels: elementwise, reduction, split reduction, raw.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "calls/calls.hpp"
#include "jit/kernel_store.hpp"

int main(int argc, char** argv) {
#ifndef GPU_WITH_CUDA
    (void)argc;
    (void)argv;
    std::printf("SKIP: libgpu was built without the CUDA toolkit\n");
    return 77;
#else
    ::setenv("LIBGPU_DEVICE", "cuda:0", 1);
    ::setenv("LIBGPU_CUBLAS", CALLS_CUBLAS, 1);
    ::setenv("LIBGPU_CUFFT", CALLS_CUFFT, 1);
    if (argc == 4 && std::string_view(argv[1]) == "--repeat") return repeat(argv[2], std::atoi(argv[3]));
    if (argc == 4 && std::string_view(argv[1]) == "--first") return time_first_calls(argv[2], std::atoi(argv[3]));
    gpu::detail::check_kernel_keys(true);
    return doctest::Context(argc, argv).run();
#endif
}
