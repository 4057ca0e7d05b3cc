// SPDX-License-Identifier: MIT
#include "support/files.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <fcntl.h>
#include <locale.h>
#include <png.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "support/process.hpp"

namespace fs = std::filesystem;

namespace course {

FileError::FileError(const std::string& doing, const fs::path& path, int error_number)
    : std::runtime_error(fmt::format("could not {} {}: {}", doing, path.string(), std::strerror(error_number))),
      error_number_(error_number) {}

FileError::FileError(const std::string& message, int error_number)
    : std::runtime_error(message), error_number_(error_number) {}

std::string read_file(const fs::path& path) { return read_file(path, std::string::npos); }

namespace {

std::string read_all(const UniqueFd& file, const fs::path& path, std::size_t max_bytes) {
    std::string text;
    char buffer[65536];
    for (;;) {
        const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw FileError("read", path, errno);
        if (got == 0 || text.size() > max_bytes) return text;
        text.append(buffer, static_cast<std::size_t>(got));
    }
}

}  // namespace

std::string read_file(const fs::path& path, std::size_t max_bytes) {
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    struct stat info {};
    if (!file || ::fstat(file.get(), &info) != 0) throw FileError("read", path, errno);
    if (S_ISDIR(info.st_mode)) throw FileError("read", path, EISDIR);
    if (!S_ISREG(info.st_mode))
        throw FileError(fmt::format("could not read {}: it is not a regular file", path.string()), EINVAL);
    return read_all(file, path, max_bytes);
}

std::string read_stream(const fs::path& path, std::size_t max_bytes) {
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) throw FileError("read", path, errno);
    return read_all(file, path, max_bytes);
}

namespace {

void write_all(int file, const fs::path& path, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) throw FileError("write", path, errno);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

void write_file(const fs::path& path, std::string_view text) {
    const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0644));
    if (!file) throw FileError("write", path, errno);
    write_all(file.get(), path, text);
}

void write_file_atomically(const fs::path& path, std::string_view text, unsigned mode) {
    static std::atomic<int> counter{0};
    const fs::path parent = path.parent_path().empty() ? fs::path(".") : path.parent_path();
    const TemporaryPath temporary(
        parent / fmt::format(".{}.{}-{}.tmp", path.filename().string(), ::getpid(), counter.fetch_add(1)));
    const UniqueFd file(::open(temporary.path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (!file) throw FileError("write", path, errno);
    write_all(file.get(), path, text);
    if (::fsync(file.get()) != 0) throw FileError("write", path, errno);
    if (::rename(temporary.path().c_str(), path.c_str()) != 0) throw FileError("write", path, errno);
}

void make_folders(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) throw FileError("make the folder", path, error.value());
}

FileLock::FileLock(const fs::path& path)
    : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (!file_) throw FileError("write", path, errno);
    while (::flock(file_.get(), LOCK_EX) != 0) {
        if (errno != EINTR) throw FileError("lock", path, errno);
    }
}

UniqueFd open_own_folder(int parent, const char* name) {
    constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    UniqueFd folder(::openat(parent, name, flags));
    struct stat info {};
    const bool closed = folder ? ::fstat(folder.get(), &info) == 0 && (info.st_mode & S_IRWXU) != S_IRWXU
                               : errno == EACCES;
    if (!closed) return folder;
    if (folder) ::fchmod(folder.get(), S_IRWXU);
    else if (::fstatat(parent, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(info.st_mode) ||
             ::fchmodat(parent, name, S_IRWXU, 0) != 0)
        return folder;
    return folder ? std::move(folder) : UniqueFd(::openat(parent, name, flags));
}

std::vector<std::string> names_in(int folder) {
    std::vector<std::string> names;
    DIR* const stream = ::fdopendir(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (stream == nullptr) return names;
    while (const dirent* entry = ::readdir(stream)) {
        const std::string name = entry->d_name;
        if (name != "." && name != "..") names.push_back(name);
    }
    ::closedir(stream);
    return names;
}

namespace {

bool remove_entry(int folder, const std::string& name) {
    return ::unlinkat(folder, name.c_str(), 0) == 0 || ::unlinkat(folder, name.c_str(), AT_REMOVEDIR) == 0;
}

/// Empties the folder. What lies two levels down is moved one level up, so any depth needs only two open files.
bool empty(int folder) {
    std::size_t moved = 0;
    for (std::vector<std::string> names; !(names = names_in(folder)).empty();) {
        bool progress = false;
        for (const std::string& name : names) {
            if (remove_entry(folder, name)) {
                progress = true;
                continue;
            }
            const UniqueFd inner = open_own_folder(folder, name.c_str());
            if (!inner) continue;
            for (const std::string& one : names_in(inner.get())) {
                if (remove_entry(inner.get(), one)) {
                    progress = true;
                    continue;
                }
                // an inaccessible folder can't be moved
                static_cast<void>(open_own_folder(inner.get(), one.c_str()));
                const std::string free = ".removed-" + std::to_string(moved++);
                progress |= ::renameat(inner.get(), one.c_str(), folder, free.c_str()) == 0;
            }
            progress |= remove_entry(folder, name);
        }
        if (!progress) return false;
    }
    return true;
}

}  // namespace

bool remove_tree(const std::filesystem::path& path) noexcept try {
    if (::unlink(path.c_str()) == 0 || errno == ENOENT) return true;
    if (const UniqueFd folder = open_own_folder(AT_FDCWD, path.c_str())) empty(folder.get());
    return ::rmdir(path.c_str()) == 0 || errno == ENOENT;
} catch (...) {
    return false;
}

}  // namespace course

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace course {

std::string digest(std::string_view bytes) {
    const XXH128_hash_t value = XXH3_128bits(bytes.data(), bytes.size());
    return fmt::format("{:016x}{:016x}", value.high64, value.low64);
}

namespace {

la_ssize_t append(archive*, void* text, const void* data, std::size_t size) {
    static_cast<std::string*>(text)->append(static_cast<const char*>(data), size);
    return static_cast<la_ssize_t>(size);
}

/// Sets this thread's locale to UTF-8: libarchive only marks names as UTF-8 if the locale is.
class InUtf8 {
public:
    explicit InUtf8(bool wanted) : locale_(wanted ? ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr) : nullptr) {
        if (wanted && !locale_) throw std::runtime_error("could not make the archive: there is no locale C.UTF-8");
        if (locale_) before_ = ::uselocale(locale_);
    }
    InUtf8(const InUtf8&) = delete;
    InUtf8& operator=(const InUtf8&) = delete;
    ~InUtf8() {
        if (locale_) ::uselocale(before_), ::freelocale(locale_);
    }

private:
    locale_t locale_, before_ = nullptr;
};

}  // namespace

std::string zip_archive(const std::vector<ArchivedFile>& files) {
    std::string bytes;
    const InUtf8 utf8(std::any_of(files.begin(), files.end(), [](const ArchivedFile& file) {
        return std::any_of(file.path.begin(), file.path.end(), [](char c) { return static_cast<signed char>(c) < 0; });
    }));
    const std::unique_ptr<archive, decltype(&archive_write_free)> writer(archive_write_new(), archive_write_free);
    const auto must = [&](int code) {
        if (code != ARCHIVE_OK)
            throw std::runtime_error(std::string("could not make the archive: ") + archive_error_string(writer.get()));
    };
    must(archive_write_set_format_zip(writer.get()));
    must(archive_write_zip_set_compression_store(writer.get()));
    must(archive_write_set_bytes_per_block(writer.get(), 0));
    must(archive_write_open(writer.get(), &bytes, nullptr, append, nullptr));
    for (const ArchivedFile& file : files) {
        const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                                  archive_entry_free);
        archive_entry_set_pathname(entry.get(), file.path.c_str());
        archive_entry_set_filetype(entry.get(), AE_IFREG);
        archive_entry_set_perm(entry.get(), 0644);
        archive_entry_set_size(entry.get(), static_cast<la_int64_t>(file.bytes.size()));
        must(archive_write_header(writer.get(), entry.get()));
        if (archive_write_data(writer.get(), file.bytes.data(), file.bytes.size()) !=
            static_cast<la_ssize_t>(file.bytes.size()))
            must(ARCHIVE_FATAL);
    }
    must(archive_write_close(writer.get()));
    return bytes;
}

std::string png_file(int rows, int columns, int channels, std::span<const std::uint8_t> pixels) {
    const auto refuse = [](const std::string& why) { throw std::runtime_error("could not make the PNG file: " + why); };
    if (rows <= 0 || columns <= 0 || (channels != 1 && channels != 3)) refuse("it has no pixels");
    const auto size_of = [](int length) { return static_cast<std::size_t>(length); };
    if (pixels.size() != size_of(rows) * size_of(columns) * size_of(channels))
        refuse("not as many pixels as it has room for");
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(columns);
    image.height = static_cast<png_uint_32>(rows);
    image.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
    png_alloc_size_t size = bytes.size();
    const int written = png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, nullptr);
    if (written == 0) refuse(image.message);
    bytes.resize(size);
    return bytes;
}

}  // namespace course
