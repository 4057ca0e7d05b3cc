// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

inline bool is_in_path(const std::string& program) {
    const char* const path = std::getenv("PATH");
    std::string_view rest = path != nullptr ? path : "";
    while (!rest.empty()) {
        const std::string_view folder = rest.substr(0, rest.find(':'));
        if (::access((std::string(folder) + "/" + program).c_str(), X_OK) == 0) return true;
        rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    }
    return false;
}

// Whether the test's kernels are compiled by clang. Its -fsanitize=thread leaves out elements of local arrays whose own
// address isn't taken, and a float4 is copied in parts.
inline bool with_clang() {
    const char* const compiler = std::getenv("LIBGPU_HOST_CXX");
    return compiler != nullptr && std::string_view(compiler).find("clang") != std::string_view::npos;
}

// True, and says why, if the variable names a compiler for kernels that isn't installed: the program's exit code is
// then 77, a skip.
inline bool wanted_compiler_is_missing(const char* variable) {
    const char* const compiler = std::getenv(variable);
    if (compiler == nullptr || is_in_path(compiler)) return false;
    std::printf("SKIP: there is no %s here\n", compiler);
    return true;
}
