// SPDX-License-Identifier: MIT
// Shows the lines that matter of the text that libgpu generates around an operation.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include <gpu/gpu.hpp>

namespace fs = std::filesystem;

int main() {
    const fs::path folder = fs::temp_directory_path() / ("generated_text_" + std::to_string(getpid()));
    fs::create_directories(folder);
    // [dump]
    setenv("LIBGPU_DUMP", folder.c_str(), 1);  // a folder for every generated text
    setenv("LIBGPU_CACHE_DIR", "", 1);         // without a cache, each kernel is generated anew
    // [/dump]
    const gpu::DeviceGuard guard(gpu::Device::host());
    const gpu::ElementwiseKernel axpy("T a, T x, T y", "T z", "z = a * x + y", "axpy");
    axpy(2, gpu::ones<float>({8}), gpu::ones<float>({8}));
    gpu::synchronize();

    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with("axpy") || !name.ends_with(".cu")) continue;
        std::ifstream text(entry.path());
        for (std::string line; std::getline(text, line);)
            for (const char* const word : {"typedef", "void gpu_body", "z = ", "for ("})
                if (line.find(word) != line.npos) {
                    std::printf("%s\n", line.c_str());
                    break;
                }
    }
    fs::remove_all(folder);
}
