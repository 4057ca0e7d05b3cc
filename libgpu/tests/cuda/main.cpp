// SPDX-License-Identifier: MIT
// The CUDA backend as far as it goes without a GPU. `--why-no-gpu` prints what the backend says of this machine, so
// that a test can ask a process that was started with another driver.
#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "backend/backend.hpp"

int main(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == "--why-no-gpu") {
        std::string why_not;
        const auto backend = gpu::detail::make_cuda_backend(why_not);
        std::printf("%s\n", backend ? "usable" : why_not.c_str());
        return 0;
    }
#ifndef GPU_WITH_CUDA
    std::printf("SKIP: libgpu was built without the CUDA toolkit\n");
    return 77;
#else
    return doctest::Context(argc, argv).run();
#endif
}
