// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <gpu/gpu.hpp>

#include "support/environment_guard.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

// The only file with this ending; empty if there are none or several.
fs::path only(const support::TemporaryFolder& folder, const std::string& ending) {
    fs::path found;
    for (const fs::path& file : folder.files()) {
        if (file.extension() != ending) continue;
        if (!found.empty()) return {};
        found = file;
    }
    return found;
}

}  // namespace

TEST_CASE("the cache of compiled kernels says where it is, what it holds and what it has done") {
    const support::TemporaryFolder folder;
    const support::EnvironmentGuard cache_dir("LIBGPU_CACHE_DIR", folder.path().c_str());
    //! [kernel_cache]
    gpu::KernelCache cache = gpu::kernel_cache();
    const gpu::CacheStatistics before = cache.statistics();
    gpu::ElementwiseKernel cube("T x", "T y", "y = x * x * x", "cube_for_the_cache");
    gpu::Array<float> y = cube(gpu::ones<float>({3}));  // compiled, or read from the cache
    const gpu::CacheStatistics after = cache.statistics();
    bool compiled = after.misses > before.misses;
    std::string where = cache.folder();
    //! [kernel_cache]
    CHECK(compiled);
    CHECK(where == folder.path());
    CHECK(cache.limit() == std::uint64_t{256} << 20);
    CHECK(before.files == 0);
    CHECK(after.files == after.misses - before.misses);
    CHECK(after.bytes > 500);
    CHECK(after.hits == before.hits);
    y = cube(y);  // loaded already
    CHECK(cache.statistics().misses == after.misses);
    cache.clear();
    CHECK(cache.statistics().files == 0);
    CHECK(cache.statistics().bytes == 0);
    y = cube(y);
    CHECK(gpu::to_host(y) == std::vector<float>(3, 1.f));
    CHECK(fs::exists(folder.path()));
}

TEST_CASE("LIBGPU_CACHE_LIMIT keeps the folder small, and an empty LIBGPU_CACHE_DIR switches the cache off") {
    const support::TemporaryFolder folder;
    const support::EnvironmentGuard cache_dir("LIBGPU_CACHE_DIR", folder.path().c_str());
    auto x = gpu::ones<float>({3});
    {
        const support::EnvironmentGuard limit("LIBGPU_CACHE_LIMIT", "100");  // no kernel is that small
        CHECK(gpu::kernel_cache().limit() == 100);
        const auto before = gpu::kernel_cache().statistics();
        (void)gpu::ElementwiseKernel("T x", "T y", "y = x + 17", "never_kept")(x);
        const auto after = gpu::kernel_cache().statistics();
        CHECK(after.files == 0);
        CHECK(after.evictions > before.evictions);
    }
    const support::EnvironmentGuard off("LIBGPU_CACHE_DIR", "");
    CHECK(gpu::kernel_cache().folder().empty());
    (void)gpu::ElementwiseKernel("T x", "T y", "y = x + 18", "not_stored")(x);
    CHECK(gpu::kernel_cache().statistics().files == 0);
    gpu::kernel_cache().clear();
}

TEST_CASE("LIBGPU_DUMP writes the generated source and what was compiled of it") {
    const support::TemporaryFolder folder;
    const support::EnvironmentGuard cache_dir("LIBGPU_CACHE_DIR", ""), dump("LIBGPU_DUMP", folder.path().c_str());
    auto x = gpu::ones<float>({3});
    (void)gpu::ElementwiseKernel("T x", "T y", "y = x + 19", "dumped")(x);
    const fs::path source = only(folder, ".cu");
    REQUIRE_FALSE(source.empty());
    CHECK(source.filename().string().starts_with("dumped-"));
    std::ifstream in(source);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    CHECK(text.find("y = x + 19") != std::string::npos);
    const bool on_host = gpu::Device::current().kind() == gpu::BackendKind::host;
    const fs::path image = only(folder, on_host ? ".so" : ".cubin");
    CHECK(image.stem() == source.stem());
    CHECK((image.empty() || fs::file_size(image) > 500));
}
