// SPDX-License-Identifier: MIT
#include "jit/file_cache.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base.hpp"

namespace gpu::detail {

namespace {

// The file: this header, the entries' names, one per line, the image's bytes. The digest guards against renamed files.
struct Header {
    char magic[8];
    char digest[32];
    std::uint64_t entry_size, image_size, checksum;
};
constexpr char magic[8] = {'l', 'i', 'b', 'g', 'p', 'u', 'K', '1'};

std::uint64_t checksum_of(const std::string& entries, const std::vector<std::byte>& bytes) {
    return XXH3_64bits_withSeed(bytes.data(), bytes.size(), XXH3_64bits(entries.data(), entries.size()));
}

std::string entry_lines(const std::vector<std::string>& entries) {
    std::string lines;
    for (const std::string& entry : entries) lines += (lines.empty() ? "" : "\n") + entry;
    return lines;
}

}  // namespace

CacheKey make_cache_key(const std::string& name, const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += std::to_string(part.size()) + ':' + part;
    const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    char digest[33];
    std::snprintf(digest, sizeof digest, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                  static_cast<unsigned long long>(hash.low64));
    std::string readable;
    for (char letter : name.substr(0, 40)) {
        readable += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
    }
    return {readable, digest};
}

std::filesystem::path FileCache::file_of(const CacheKey& key) const {
    return folder_ / key.digest.substr(0, 2) / (key.name + "-" + key.digest + ".kernel");
}

std::optional<Image> FileCache::find(const CacheKey& key) const {
    std::error_code none;
    // never open a pipe
    if (folder_.empty() || !std::filesystem::is_regular_file(file_of(key), none)) return std::nullopt;
    std::ifstream in(file_of(key), std::ios::binary);
    Header header{};
    if (!in.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
    constexpr std::uint64_t limit = std::uint64_t{1} << 32;
    if (std::memcmp(header.magic, magic, sizeof magic) != 0 ||
        std::memcmp(header.digest, key.digest.data(), sizeof header.digest) != 0 || header.entry_size > limit ||
        header.image_size > limit) {
        return std::nullopt;
    }
    in.seekg(0, std::ios::end);
    if (static_cast<std::uint64_t>(in.tellg()) != sizeof header + header.entry_size + header.image_size) {
        return std::nullopt;  // truncated: don't trust its sizes
    }
    in.seekg(sizeof header);
    Image image;
    std::string entries(header.entry_size, '\0');
    image.bytes.resize(header.image_size);
    in.read(entries.data(), static_cast<std::streamsize>(entries.size()));
    in.read(reinterpret_cast<char*>(image.bytes.data()), static_cast<std::streamsize>(image.bytes.size()));
    if (!in || checksum_of(entries, image.bytes) != header.checksum) return std::nullopt;
    std::istringstream lines(entries);
    for (std::string entry; std::getline(lines, entry);) image.entries.push_back(entry);
    (void)::utimensat(AT_FDCWD, file_of(key).c_str(), nullptr, 0);  // marks it as used now
    return image;
}

void FileCache::store(const CacheKey& key, const Image& image) const noexcept {
    if (folder_.empty()) return;
    try {
        static std::atomic<unsigned> count{0};
        const std::filesystem::path file = file_of(key);
        std::filesystem::create_directories(file.parent_path());
        std::filesystem::path temporary = file;
        temporary += "." + std::to_string(getpid()) + "." + std::to_string(count++);
        Header header{};
        std::memcpy(header.magic, magic, sizeof magic);
        std::memcpy(header.digest, key.digest.data(), sizeof header.digest);
        const std::string entries = entry_lines(image.entries);
        header.entry_size = entries.size();
        header.image_size = image.bytes.size();
        header.checksum = checksum_of(entries, image.bytes);
        std::ofstream out(temporary, std::ios::binary);
        out.write(reinterpret_cast<const char*>(&header), sizeof header);
        out.write(entries.data(), static_cast<std::streamsize>(entries.size()));
        out.write(reinterpret_cast<const char*>(image.bytes.data()), static_cast<std::streamsize>(image.bytes.size()));
        out.close();
        std::error_code failure, ignored;
        if (out) std::filesystem::rename(temporary, file, failure);
        if (!out || failure)
            std::filesystem::remove(temporary, ignored);
        else
            keep_within_limit(sizeof header + header.entry_size + header.image_size);
    } catch (const std::exception&) {  // a read-only home or a full disk: go on without the cache
    }
}

// Scanning takes time for every file, so it happens once at the start of a process and whenever a sixteenth of the
// limit has been stored since.
void FileCache::keep_within_limit(std::uint64_t stored) const {
    if (limit_ == 0) return;
    static std::atomic<std::uint64_t> watched{0};
    static std::atomic<std::int64_t> room{0};
    const std::string where = folder_.string();
    const std::uint64_t here = XXH3_64bits_withSeed(where.data(), where.size(), limit_);
    const auto bytes = static_cast<std::int64_t>(stored);
    if (watched.exchange(here) == here && room.fetch_sub(bytes) >= bytes) return;
    room = static_cast<std::int64_t>(limit_ / 16);

    std::error_code ignored;
    CacheFolder found = look_into(folder_);
    const auto now = std::filesystem::file_time_type::clock::now();
    for (const CachedFile& file : found.leftovers)
        if (now - file.used > std::chrono::hours(1)) std::filesystem::remove(file.path, ignored);
    std::uint64_t total = 0;
    for (const CachedFile& file : found.kernels) total += file.size;
    if (total <= limit_) return;
    std::sort(found.kernels.begin(), found.kernels.end(),
              [](const CachedFile& a, const CachedFile& b) { return a.used < b.used; });
    for (const CachedFile& file : found.kernels) {
        if (total <= limit_ - limit_ / 10) break;
        if (std::filesystem::remove(file.path, ignored)) cache_counters().evictions += 1;  // else another process did
        total -= file.size;
    }
}

std::vector<CachedFile> FileCache::files() const noexcept try {
    return look_into(folder_).kernels;
} catch (const std::exception&) {
    return {};
}

void FileCache::clear() const noexcept try {
    std::error_code ignored;
    const CacheFolder found = look_into(folder_);
    for (const auto* files : {&found.kernels, &found.leftovers}) {
        for (const CachedFile& file : *files) {
            std::filesystem::remove(file.path, ignored);
            ::rmdir(file.path.parent_path().c_str());  // succeeds only if it is empty now
        }
    }
} catch (const std::exception&) {}

FileCache FileCache::of_this_user() { return FileCache(cache_folder(), cache_limit()); }

CacheCounters& cache_counters() noexcept {
    static CacheCounters counters;
    return counters;
}

std::filesystem::path cache_folder() {
    if (const char* own = std::getenv("LIBGPU_CACHE_DIR")) return own;
    if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg == '/') {
        return std::filesystem::path(xdg) / "libgpu";
    }
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
        return std::filesystem::path(home) / ".cache" / "libgpu";
    }
    return {};
}

std::uint64_t cache_limit() {
    constexpr std::uint64_t usual = std::uint64_t{256} << 20;
    const char* const text = std::getenv("LIBGPU_CACHE_LIMIT");
    if (text == nullptr || *text == '\0') return usual;
    if (const auto bytes = parsed_bytes(text)) return *bytes;
    static std::atomic<bool> told{false};
    if (!told.exchange(true))
        std::fprintf(stderr,
                     "libgpu: LIBGPU_CACHE_LIMIT is \"%s\"; it must be a number of bytes such as 64K, 512M or 2G, or 0 "
                     "for no limit: 256M are taken\n",
                     text);
    return usual;
}

namespace {

namespace fs = std::filesystem;

constexpr std::string_view hexadecimal = "0123456789abcdef", ending = ".kernel";

bool all_of(std::string_view text, std::string_view letters) {
    return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}

// "add-0123...ef.kernel" in the folder of the digest's first two letters.
bool is_kernel(std::string_view name, std::string_view folder) {
    constexpr std::size_t digits = 32;
    if (name.size() <= digits + ending.size() || name.substr(name.size() - ending.size()) != ending) return false;
    const std::string_view digest = name.substr(name.size() - ending.size() - digits, digits);
    return name[name.size() - ending.size() - digits - 1] == '-' && all_of(digest, hexadecimal) &&
           digest.substr(0, 2) == folder;
}

// The same followed by ".4711.0": a process and its count.
bool is_leftover(std::string_view name, std::string_view folder) {
    const auto end = name.rfind(ending);
    return end != std::string_view::npos && is_kernel(name.substr(0, end + ending.size()), folder) &&
           all_of(name.substr(end + ending.size()), ".0123456789");
}

}  // namespace

CacheFolder look_into(const fs::path& folder) {
    CacheFolder found;
    std::error_code error;
    if (folder.empty()) return found;
    for (fs::directory_iterator room(folder, error), end; !error && room != end; room.increment(error)) {
        const std::string two = room->path().filename().string();
        if (two.size() != 2 || !all_of(two, hexadecimal)) continue;
        std::error_code inner;  // a folder that can't be read, or has just gone
        for (fs::directory_iterator item(room->path(), inner); !inner && item != end; item.increment(inner)) {
            const std::string name = item->path().filename().string();
            const bool kernel = is_kernel(name, two);
            if (!kernel && !is_leftover(name, two)) continue;
            std::error_code gone;
            if (!item->is_regular_file(gone) || gone) continue;
            CachedFile file{item->path(), item->file_size(gone), {}};
            if (!gone) file.used = item->last_write_time(gone);
            if (!gone) (kernel ? found.kernels : found.leftovers).push_back(std::move(file));
        }
    }
    return found;
}

}  // namespace gpu::detail
