// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include <gpu/error.hpp>

#include "cuda/base/toolkit.hpp"
#include "cuda/compile/nvrtc_api.hpp"

using namespace gpu::detail::cuda;

namespace {

std::string message_of(const std::vector<std::string>& candidates) {
    try {
        (void)load_nvrtc(candidates);
        return {};
    } catch (const gpu::LibraryNotFound& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("without NVRTC the error says what to set, what was tried, and why each failed") {
    const std::string message = message_of({"/nonexistent/libnvrtc.so.13", "libnvrtc-nowhere.so"});
    CHECK(message.find("NVRTC, which compiles kernels for the GPU, was not found. Set LIBGPU_NVRTC to the path of "
                       "libnvrtc.so." + std::to_string(toolkit_major()) + ". Tried:") == 0);
    CHECK(message.find("\n  /nonexistent/libnvrtc.so.13: ") != std::string::npos);
    CHECK(message.find("cannot open shared object file") != std::string::npos);
    CHECK(message.find("\n  libnvrtc-nowhere.so: ") != std::string::npos);
}

TEST_CASE("a library that isn't NVRTC is refused by name") {
    CHECK(message_of({"libm.so.6"}).find("\n  libm.so.6: it has no function nvrtcGetErrorString") != std::string::npos);
}

TEST_CASE("LIBGPU_NVRTC is the only place if it is set; otherwise the toolkit's name is tried in several") {
    setenv("LIBGPU_NVRTC", "/nonexistent", 1);
    CHECK(library_candidates("libnvrtc", "LIBGPU_NVRTC") == std::vector<std::string>{"/nonexistent"});
    unsetenv("LIBGPU_NVRTC");
    const auto candidates = library_candidates("libnvrtc", "LIBGPU_NVRTC");
    CHECK(candidates.size() >= 2);
    const std::string file = "libnvrtc.so." + std::to_string(toolkit_major());
    for (const std::string& candidate : candidates) {
        CHECK(candidate.substr(candidate.size() - file.size()) == file);
    }
}
#endif
