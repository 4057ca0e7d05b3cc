// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include <gpu/error.hpp>

#include "cuda/compile/compiler.hpp"

/// True if NVRTC can be loaded here; otherwise says that the case was skipped, and why.
inline bool with_nvrtc(const char* name) {
    try {
        (void)gpu::detail::cuda::nvrtc();
        return true;
    } catch (const gpu::LibraryNotFound& error) {
        const std::string why = error.what();
        std::printf("SKIP: %s: %s\n", name, why.substr(0, why.find('\n')).c_str());
        return false;
    }
}

/// Those of the architectures that the course is tested for which this NVRTC knows.
inline std::vector<std::string> tested_archs() {
    std::vector<std::string> names;
    for (const int arch : gpu::detail::cuda::nvrtc().archs) {
        if (arch == 75) names.emplace_back("sm_75");
        if (arch == 90 || arch == 120) names.push_back("compute_" + std::to_string(arch));
    }
    return names;
}

/// NVRTC's complaint about a source, or "" if it compiles.
inline std::string complaint(const gpu::detail::KernelSource& source) {
    try {
        (void)gpu::detail::cuda::compile_for("sm_90", source);
        return {};
    } catch (const gpu::detail::CompileFailure& failure) {
        return failure.log;
    }
}

/// What of a source's names NVRTC refuses.
inline gpu::detail::Unresolved::Kind refused_name(const gpu::detail::KernelSource& source) {
    try {
        (void)gpu::detail::cuda::compile_for("sm_90", source);
    } catch (const gpu::detail::CompileFailure& failure) {
        return failure.unresolved.kind;
    }
    return gpu::detail::Unresolved::Kind::nothing;
}
