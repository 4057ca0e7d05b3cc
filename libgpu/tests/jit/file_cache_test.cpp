// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "jit/file_cache.hpp"
#include "support/environment_guard.hpp"
#include "support/printed.hpp"
#include "support/temporary_folder.hpp"

using namespace gpu::detail;
namespace fs = std::filesystem;

namespace {

Image image_of(const std::string& text) {
    Image image{.bytes = {}, .entries = {"entry_of_" + text, "second"}};
    for (char letter : text) image.bytes.push_back(static_cast<std::byte>(letter));
    return image;
}

void flip_byte(const fs::path& file, std::streamoff from_end) {
    std::fstream f(file, std::ios::in | std::ios::out | std::ios::binary);
    f.seekg(-from_end, std::ios::end);
    const int old = f.get();
    f.seekp(-from_end, std::ios::end);
    f.put(static_cast<char>(old ^ 1));
}

}  // namespace

TEST_CASE("what is stored is found again, under its key only") {
    const support::TemporaryFolder folder;
    const FileCache cache(folder.path());
    const CacheKey key = make_cache_key("add", {"a", "b"});
    CHECK_FALSE(cache.find(key).has_value());
    cache.store(key, image_of("cubin"));
    const auto found = cache.find(key);
    REQUIRE(found.has_value());
    CHECK(found->bytes == image_of("cubin").bytes);
    CHECK(found->entries == image_of("cubin").entries);
    CHECK_FALSE(cache.find(make_cache_key("add", {"ab"})).has_value());
    CHECK(folder.files().size() == 1);
}

TEST_CASE("keys tell lists of parts apart that read alike") {
    CHECK(make_cache_key("k", {"ab", "c"}).digest != make_cache_key("k", {"a", "bc"}).digest);
    CHECK(make_cache_key("k", {"a"}).digest != make_cache_key("k", {"a", ""}).digest);
    CHECK(make_cache_key("mul<float>", {}).name == "mul_float_");
}

TEST_CASE("a damaged, cut or foreign file is a miss") {
    const support::TemporaryFolder folder;
    const FileCache cache(folder.path());
    const CacheKey key = make_cache_key("add", {"a"}), other = make_cache_key("add", {"b"});
    cache.store(key, image_of("cubin"));
    SUBCASE("a changed byte of the image") { flip_byte(cache.file_of(key), 1); }
    SUBCASE("a changed byte of the entry") { flip_byte(cache.file_of(key), 8); }
    SUBCASE("a cut file") { fs::resize_file(cache.file_of(key), fs::file_size(cache.file_of(key)) - 1); }
    SUBCASE("an empty file") { fs::resize_file(cache.file_of(key), 0); }
    SUBCASE("a file with more at its end") { std::ofstream(cache.file_of(key), std::ios::app) << "x"; }
    SUBCASE("another kernel's file under this name") {
        cache.store(other, image_of("other"));
        fs::copy_file(cache.file_of(other), cache.file_of(key), fs::copy_options::overwrite_existing);
    }
    CHECK_FALSE(cache.find(key).has_value());
    cache.store(key, image_of("again"));
    CHECK(cache.find(key).has_value());
}

TEST_CASE("a folder that can't be written, or none, is silently no cache") {
    const CacheKey key = make_cache_key("add", {"a"});
    const FileCache nowhere{fs::path("/proc/no/such/folder")};
    nowhere.store(key, image_of("cubin"));
    CHECK_FALSE(nowhere.find(key).has_value());
    const FileCache off{fs::path()};
    off.store(key, image_of("cubin"));
    CHECK_FALSE(off.find(key).has_value());
}

TEST_CASE("writers of one key at the same time leave one whole file") {
    const support::TemporaryFolder folder;
    const FileCache cache(folder.path());
    const CacheKey key = make_cache_key("add", {"a"});
    const Image image = image_of(std::string(100'000, 'x'));
    std::vector<std::thread> writers;
    for (int k = 0; k < 8; ++k) writers.emplace_back([&] { cache.store(key, image); });
    for (auto& writer : writers) writer.join();
    CHECK(folder.files().size() == 1);
    CHECK(cache.find(key)->bytes == image.bytes);
}

namespace {

CacheKey key_of(int number) { return make_cache_key("kernel", {std::to_string(number)}); }
Image large_image(int number) { return image_of(std::string(1000, static_cast<char>('a' + number % 26))); }

std::uint64_t bytes_in(const FileCache& cache) {
    std::uint64_t total = 0;
    for (const CachedFile& file : cache.files()) total += file.size;
    return total;
}

void age(const fs::path& file, std::chrono::seconds by) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - by);
}

}  // namespace

TEST_CASE("beyond the limit, the kernels go that weren't used for the longest time") {
    const support::TemporaryFolder folder;
    const FileCache cache(folder.path(), 20'000);  // each file has some 2 kB: image, entry and header
    const std::uint64_t before = cache_counters().evictions;
    for (int k = 0; k < 9; ++k) {
        cache.store(key_of(k), large_image(k));
        age(cache.file_of(key_of(k)), std::chrono::seconds(100 - k));
    }
    REQUIRE(cache_counters().evictions == before);
    CHECK(cache.find(key_of(0)).has_value());  // used now
    cache.store(key_of(9), large_image(9));
    CHECK(bytes_in(cache) <= 18'000);
    CHECK(cache_counters().evictions - before == 10 - cache.files().size());
    CHECK(cache_counters().evictions > before);
    CHECK_FALSE(cache.find(key_of(1)).has_value());
    CHECK(cache.find(key_of(0)).has_value());
    CHECK(cache.find(key_of(8)).has_value());
    CHECK(cache.find(key_of(9)).has_value());
}

TEST_CASE("nothing but kernels is ever removed, and what killed writers left behind goes") {
    const support::TemporaryFolder folder;
    const FileCache cache(folder.path(), 1);  // no kernel fits
    const fs::path home = cache.file_of(key_of(0)).parent_path();
    fs::create_directories(home);
    fs::create_directories(folder.path() / "thesis");
    const std::vector<fs::path> others{folder.path() / "thesis" / "kernel.kernel", folder.path() / "letter.kernel",
                                       home / "letter.kernel", home / "kernel-0123456789abcdef.kernel",
                                       home / (cache.file_of(key_of(0)).filename().string() + ".bak")};
    for (const fs::path& file : others) std::ofstream(file) << "mine";
    const fs::path left = cache.file_of(key_of(0)).string() + ".4711.0", young = left.string() + "1";
    for (const fs::path& file : {left, young}) std::ofstream(file) << "half a ker";
    age(left, std::chrono::hours(2));

    cache.store(key_of(0), large_image(0));
    CHECK(cache.files().empty());
    CHECK_FALSE(fs::exists(left));
    CHECK(fs::exists(young));  // perhaps still being written
    FileCache(folder.path()).store(key_of(1), large_image(1));
    CHECK(cache.files().size() == 1);
    cache.clear();
    CHECK(cache.files().empty());
    for (const fs::path& file : others) CHECK_MESSAGE(fs::exists(file), file);
}

TEST_CASE("processes that store, find and remove at the same time see whole kernels or none") {
    const support::TemporaryFolder folder;
    const FileCache cache(folder.path(), 12'000);
    std::vector<pid_t> children;
    for (int child = 0; child < 4; ++child) {
        const pid_t process = ::fork();
        if (process == 0) {
            for (int k = 0; k < 200; ++k) {
                const int number = (k * 7 + child) % 10;
                const auto found = cache.find(key_of(number));
                if (found && found->bytes != large_image(number).bytes) ::_exit(1);
                if (!found) cache.store(key_of(number), large_image(number));
            }
            ::_exit(cache_counters().evictions > 0 ? 0 : 2);
        }
        children.push_back(process);
    }
    for (const pid_t child : children) {
        int status = 0;
        ::waitpid(child, &status, 0);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
    }
    cache.store(key_of(10), large_image(10));
    CHECK(bytes_in(cache) <= 12'000);
    CHECK(folder.files().size() == cache.files().size());  // no temporary files
}

TEST_CASE("LIBGPU_CACHE_LIMIT is a number of bytes, K, M or G") {
    const auto limit = [](const char* text) {
        const support::EnvironmentGuard guard("LIBGPU_CACHE_LIMIT", text);
        return cache_limit();
    };
    const std::uint64_t usual = std::uint64_t{256} << 20;
    CHECK(limit(nullptr) == usual);
    CHECK(limit("") == usual);
    CHECK(limit("1000000") == 1'000'000);
    CHECK(limit("64K") == 65536);
    CHECK(limit("512M") == std::uint64_t{512} << 20);
    CHECK(limit("2G") == std::uint64_t{2} << 30);
    CHECK(limit("0") == 0);
    const std::string told = support::printed(
        [&] {
            for (const char* const nonsense : {"-5", "many", "5T", "5 M", "99999999999G"})
                CHECK(limit(nonsense) == usual);
        },
        stderr);
    CHECK(told == "libgpu: LIBGPU_CACHE_LIMIT is \"-5\"; it must be a number of bytes such as 64K, 512M or 2G, or 0 "
                  "for no limit: 256M are taken\n");   // once
}
