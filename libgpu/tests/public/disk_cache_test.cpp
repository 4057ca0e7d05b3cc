// SPDX-License-Identifier: MIT
// The cache of compiled kernels as processes see it: shared, damaged, full. Each process is a forked child, so that it
// knows no kernel yet.
#include <doctest/doctest.h>

#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

#include "support/environment_guard.hpp"
#include "support/forked_child.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

// A folder of its own as the cache, for a scope.
class CacheFolder : public support::TemporaryFolder {
    support::EnvironmentGuard variable_{"LIBGPU_CACHE_DIR", path().c_str()};
};

// True if a process of its own gets the right numbers out of the kernel, which it finds in the cache (1) or not (0).
bool right_in_a_child(int hits = -1) {
    const pid_t child = ::fork();
    if (child == 0) {
        int code = 1;
        const gpu::CacheStatistics before = gpu::kernel_cache().statistics();
        try {
            gpu::RawKernel<void(int*, int)> fill(
                "__global__ void fill_cached(int* x, int v) {\n"
                "    x[blockIdx.x * blockDim.x + threadIdx.x] = v + (int)threadIdx.x;\n}\n",
                "fill_cached");
            auto x = gpu::to_device(std::vector<int>(64));  // compiles nothing
            fill({.grid = 2, .block = 32}, x, 100);
            const auto got = gpu::to_host(x);
            code = got[0] == 100 && got[63] == 131 ? 0 : 2;
            const gpu::CacheStatistics now = gpu::kernel_cache().statistics();
            if (hits >= 0 && (now.hits - before.hits != static_cast<unsigned>(hits) ||
                              now.misses - before.misses != static_cast<unsigned>(1 - hits)))
                code = 3;
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s\n", error.what());
        }
        ::_exit(code);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string content_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

bool can_fork(const char* what) {
    if (gpu::Device::current().kind() == gpu::BackendKind::host) return child_can_start_threads(what);
    std::printf("SKIP: %s: a CUDA context can't be forked\n", what);
    return false;
}

}  // namespace

TEST_CASE("processes that compile one kernel at the same time all get it, and leave one file") {
    if (!can_fork("processes that compile one kernel")) return;
    const CacheFolder cache;
    std::vector<pid_t> children;
    for (int k = 0; k < 4; ++k) {
        const pid_t child = ::fork();
        if (child == 0) ::_exit(right_in_a_child() ? 0 : 1);
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        ::waitpid(child, &status, 0);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
    }
    CHECK(cache.files().size() == 1);
}

TEST_CASE("a cache file that is cut, changed, foreign or no file is made anew, and the numbers are right") {
    if (!can_fork("damaged cache files")) return;
    const CacheFolder cache;
    REQUIRE(right_in_a_child());
    REQUIRE(cache.files().size() == 1);
    const fs::path file = cache.files().front();
    const std::string whole = content_of(file);
    std::string flipped = whole, tail = whole;
    flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 1);
    tail.back() = static_cast<char>(tail.back() ^ 0x40);
    for (const std::string& damaged : {std::string(), whole.substr(0, 100), whole.substr(0, whole.size() - 1), flipped,
                                       tail, whole + "x", std::string(5000, 'z'),
                                       std::string("\x7f"
                                                   "ELF and nothing else")}) {
        std::ofstream(file, std::ios::binary) << damaged;
        CAPTURE(damaged.size());
        CHECK(right_in_a_child());
        CHECK(content_of(file).size() == whole.size());
    }
    fs::remove(file);
    fs::create_directory(file);
    CHECK(right_in_a_child());
    fs::permissions(cache.path(), fs::perms::owner_read | fs::perms::owner_exec);
    CHECK(right_in_a_child());
    fs::permissions(cache.path(), fs::perms::owner_all);
}

TEST_CASE("a kernel that another process has compiled is a hit") {
    if (!can_fork("hits of the cache")) return;
    const CacheFolder cache;
    CHECK(right_in_a_child(0));
    CHECK(right_in_a_child(1));
    gpu::kernel_cache().clear();
    CHECK(cache.files().empty());
    CHECK(right_in_a_child(0));
}

TEST_CASE("a cache on a full disk is no cache, and no error") {
    if (!can_fork("a cache on a full disk")) return;
    const CacheFolder cache;
    if (::mount("tmpfs", cache.path().c_str(), "tmpfs", 0, "size=4k") != 0) {
        std::puts("SKIP: a cache on a full disk: mounting a small tmpfs needs root");
        return;
    }
    const bool first = right_in_a_child(), second = right_in_a_child();
    const auto files = cache.files();
    ::umount(cache.path().c_str());
    CHECK(first);
    CHECK(second);
    for (const fs::path& file : files) CHECK_FALSE(fs::exists(file));
    CHECK(files.empty());
}
