// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "jit/file_cache.hpp"

using namespace gpu::detail;
namespace fs = std::filesystem;

namespace {

// A folder of its own, gone at the end of the test.
struct Folder {
    fs::path path;
    Folder() {
        std::string name = (fs::temp_directory_path() / "libgpu-cache-XXXXXX").string();
        path = mkdtemp(name.data());
    }
    ~Folder() { fs::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
};

Image image_of(const std::string& text) {
    Image image{.bytes = {}, .entry = "entry_of_" + text};
    for (char letter : text) image.bytes.push_back(static_cast<std::byte>(letter));
    return image;
}

std::size_t files_in(const fs::path& folder) {
    std::size_t count = 0;
    for (const auto& item : fs::recursive_directory_iterator(folder)) count += item.is_regular_file() ? 1U : 0U;
    return count;
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
    const Folder folder;
    const FileCache cache(folder.path);
    const CacheKey key = make_cache_key("add", {"a", "b"});
    CHECK_FALSE(cache.find(key).has_value());
    cache.store(key, image_of("cubin"));
    const auto found = cache.find(key);
    REQUIRE(found.has_value());
    CHECK(found->bytes == image_of("cubin").bytes);
    CHECK(found->entry == "entry_of_cubin");
    CHECK_FALSE(cache.find(make_cache_key("add", {"ab"})).has_value());
    CHECK(files_in(folder.path) == 1);
}

TEST_CASE("keys tell lists of parts apart that read alike") {
    CHECK(make_cache_key("k", {"ab", "c"}).digest != make_cache_key("k", {"a", "bc"}).digest);
    CHECK(make_cache_key("k", {"a"}).digest != make_cache_key("k", {"a", ""}).digest);
    CHECK(make_cache_key("mul<float>", {}).name == "mul_float_");
}

TEST_CASE("a damaged, cut or foreign file is a miss") {
    const Folder folder;
    const FileCache cache(folder.path);
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
    const Folder folder;
    const FileCache cache(folder.path);
    const CacheKey key = make_cache_key("add", {"a"});
    const Image image = image_of(std::string(100'000, 'x'));
    std::vector<std::thread> writers;
    for (int k = 0; k < 8; ++k) writers.emplace_back([&] { cache.store(key, image); });
    for (auto& writer : writers) writer.join();
    CHECK(files_in(folder.path) == 1);
    CHECK(cache.find(key)->bytes == image.bytes);
}
