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
        bool in_body = false;
        for (std::string line; std::getline(text, line);) {
            in_body = in_body || line.find("void gpu_body") != line.npos;
            const bool matters = in_body || line.find("typedef") != line.npos || line.find("for (") != line.npos;
            if (matters && !line.starts_with("#")) std::printf("%s\n", line.c_str());
            in_body = in_body && line != "}";
        }
    }
    fs::remove_all(folder);
}
