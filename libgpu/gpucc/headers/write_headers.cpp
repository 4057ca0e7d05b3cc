// SPDX-License-Identifier: MIT
// write_headers FOLDER: writes the texts of kernels' cuda_fp16.h and cuda_bf16.h for the host's half of programs, so
// that halves have the same bits on both sides.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "gpucc/seam/seam.hpp"
#include "host/base/process.hpp"

int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("usage: write_headers FOLDER\n", stderr);
        return 1;
    }
    try {
        for (const char* const name : {"libgpu/half_bits.hpp", "libgpu/half.hpp", "libgpu/half_math.hpp",
                                       "libgpu/bfloat16_bits.hpp", "libgpu/bfloat16.hpp", "libgpu/bfloat16_math.hpp"}) {
            const std::string text(gpu::detail::program::prelude_text(name));
            if (text.empty()) throw std::runtime_error(std::string("the prelude has no ") + name);
            gpu::detail::host::write_file(std::string(arguments[1]) + "/" + name, text);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "write_headers: %s\n", error.what());
        return 1;
    }
    return 0;
}
