// SPDX-License-Identifier: MIT
// Compiles for GPUs what other test programs asked of the host backend while GPU_RECORD_KERNELS named a folder:
// GPU_RECORDED_KERNELS names it here. No GPU is needed.
#include <doctest/doctest.h>

#include <cstdio>

int main(int argc, char** argv) {
#ifndef GPU_WITH_CUDA
    static_cast<void>(argc), static_cast<void>(argv);
    std::printf("SKIP: libgpu was built without the CUDA toolkit\n");
    return 77;
#else
    return doctest::Context(argc, argv).run();
#endif
}
