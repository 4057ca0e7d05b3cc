// SPDX-License-Identifier: MIT
#include "cuda/base/toolkit.hpp"

#include <cstdlib>
#include <filesystem>

#include "cuda/base/cudart.hpp"
#include "cuda/base/toolkit_paths.hpp"

namespace gpu::detail::cuda {

namespace {

std::string environment(const char* variable) {
    const char* value = std::getenv(variable);
    return value ? value : "";
}

}  // namespace

int toolkit_major() noexcept { return CUDART_VERSION / 1000; }

std::vector<std::string> library_candidates(const std::string& name, const char* variable) {
    return library_candidates(name, variable, {toolkit_major()});
}

std::vector<std::string> library_candidates(const std::string& name, const char* variable,
                                            const std::vector<int>& majors) {
    if (const std::string path = environment(variable); !path.empty()) return {path};
    std::vector<std::string> candidates;
    for (const int major : majors) {
        const std::string file = name + ".so." + std::to_string(major);
        if (const std::string configured = configured_library_directory(); !configured.empty()) {
            candidates.push_back(configured + "/" + file);
        }
        candidates.push_back(file);  // wherever the dynamic linker looks: LD_LIBRARY_PATH, ld.so.cache
        candidates.push_back("/usr/local/cuda/lib64/" + file);
    }
    return candidates;
}

std::string existing_library(const std::string& name, const char* variable) {
    for (const std::string& candidate : library_candidates(name, variable)) {
        if (candidate.find('/') == std::string::npos) return {};  // it comes before the rest
        std::error_code ignored;
        if (std::filesystem::exists(candidate, ignored)) return candidate;
    }
    return {};
}

std::string include_directory(const std::string& library) {
    std::vector<std::string> candidates{environment("LIBGPU_CUDA_INCLUDE")};
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const std::string root = environment(variable); !root.empty()) candidates.push_back(root + "/include");
    }
    const std::filesystem::path beside = std::filesystem::path(library).parent_path();
    candidates.push_back((beside / "../include").lexically_normal().string());
    candidates.emplace_back(configured_include_directory());
    candidates.emplace_back("/usr/local/cuda/include");
    for (const std::string& candidate : candidates) {
        std::error_code ignored;
        if (!candidate.empty() && std::filesystem::exists(candidate + "/cuda_fp16.h", ignored)) return candidate;
    }
    return {};
}

}  // namespace gpu::detail::cuda
