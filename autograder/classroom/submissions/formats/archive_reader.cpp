// SPDX-License-Identifier: MIT
#include "classroom/submissions/formats/archive_reader.hpp"

#include <cerrno>
#include <clocale>

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "support/text.hpp"

namespace course {

ArchiveError::ArchiveError(const std::string& text) : std::runtime_error(plain_line(text.substr(0, 500))) {}

namespace {

/// Sets the thread's locale to UTF-8: libarchive converts names to the locale, and loses characters that it doesn't
/// have.
class Utf8Locale {
public:
    Utf8Locale() noexcept {
        static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
        if (utf8) before_ = ::uselocale(utf8);
    }
    Utf8Locale(const Utf8Locale&) = delete;
    Utf8Locale& operator=(const Utf8Locale&) = delete;
    ~Utf8Locale() {
        if (before_) ::uselocale(before_);
    }

private:
    locale_t before_ = nullptr;
};

}  // namespace

struct ArchiveReader::State {
    enum class Packing { zip, gzip, xz, zstd, bzip2, none };
    struct Free {
        void operator()(archive* one) const { archive_read_free(one); }
    };

    UniqueFd file;
    std::string bytes;
    std::int64_t& left;
    std::unique_ptr<archive, Free> reader = {};
    Packing packing = Packing::none;
    bool seekable_zip = false;  ///< entries can be skipped without unpacking them
    bool unread = false;        ///< the entry's bytes haven't all been read
    std::size_t entries = 0;

    static Packing packing_of(std::string_view begin) {
        const auto starts = [&](std::string_view magic) { return begin.starts_with(magic); };
        if (starts("PK\x03\x04") || starts("PK\x05\x06") || starts("PK\x07\x08")) return Packing::zip;
        if (starts("\x1F\x8B")) return Packing::gzip;
        if (starts(std::string_view("\xFD"
                                    "7zXZ\0",
                                    6)))
            return Packing::xz;
        if (starts("\x28\xB5\x2F\xFD")) return Packing::zstd;
        if (starts("BZh")) return Packing::bzip2;
        if (starts("Rar!")) throw ArchiveError("is a RAR archive, which the kit doesn't read; pack it as zip");
        if (starts("7z\xBC\xAF")) throw ArchiveError("is a 7z archive, which the kit doesn't read; pack it as zip");
        if (begin.size() >= 262 && begin.substr(257, 5) == "ustar") return Packing::none;
        throw ArchiveError(begin.empty() ? "is empty" : "isn't a zip or tar archive");
    }

    void open() {
        std::string begin(512, '\0');
        if (file) {
            const ssize_t got = ::pread(file.get(), begin.data(), begin.size(), 0);
            begin.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        } else {
            begin = bytes.substr(0, 512);
        }
        packing = packing_of(begin);
        seekable_zip = packing == Packing::zip;
        // A zip file without its table of contents, e.g. a truncated one, can still be read sequentially.
        if (!try_open()) {
            seekable_zip = false;
            if (packing != Packing::zip || !try_open()) throw ArchiveError("is broken: it can't be opened");
        }
    }

    bool try_open() {
        reader.reset(archive_read_new());
        if (packing == Packing::zip) {
            seekable_zip ? archive_read_support_format_zip_seekable(reader.get())
                         : archive_read_support_format_zip_streamable(reader.get());
        } else {
            archive_read_support_format_tar(reader.get());
        }
        // Compressions are enabled explicitly, not detected: libarchive would undo any number of detected ones, one
        // inside the other.
        int code = ARCHIVE_OK;
        if (packing == Packing::gzip) code = archive_read_append_filter(reader.get(), ARCHIVE_FILTER_GZIP);
        if (packing == Packing::xz) code = archive_read_append_filter(reader.get(), ARCHIVE_FILTER_XZ);
        if (packing == Packing::bzip2) code = archive_read_append_filter(reader.get(), ARCHIVE_FILTER_BZIP2);
        if (packing == Packing::zstd) code = archive_read_append_filter(reader.get(), ARCHIVE_FILTER_ZSTD);
        if (code < ARCHIVE_WARN) throw ArchiveError("is packed in a way that this libarchive can't read");
        if (file && ::lseek(file.get(), 0, SEEK_SET) != 0) throw ArchiveError("can't be read from its beginning");
        const int opened = file ? archive_read_open_fd(reader.get(), file.get(), 65536)
                                : archive_read_open_memory(reader.get(), bytes.data(), bytes.size());
        return opened >= ARCHIVE_WARN;
    }

    [[noreturn]] void fail() const {
        const char* const text = archive_error_string(reader.get());
        throw ArchiveError(fmt::format("is broken after {} entries ({})", entries, text ? text : "no reason is given"));
    }

    void spend(std::size_t size) {
        left -= static_cast<std::int64_t>(size);
        if (left < 0) throw ArchiveError("unpacks to more than a submission may have; the rest of it wasn't read");
    }

    /// Reads a block of the entry's bytes, and counts it; false at the end.
    bool next_block(std::string_view& block) {
        const void* data = nullptr;
        std::size_t size = 0;
        la_int64_t offset = 0;
        const int code = archive_read_data_block(reader.get(), &data, &size, &offset);
        if (code == ARCHIVE_EOF) return false;
        if (code != ARCHIVE_OK) fail();  // a warning means that the bytes differ from the packed ones
        spend(size);
        block = {static_cast<const char*>(data), size};
        return true;
    }

    std::optional<ArchiveEntry> next() {
        if (unread && !seekable_zip)
            for (std::string_view block; next_block(block);) {}
        unread = false;
        archive_entry* entry = nullptr;
        int code = ARCHIVE_RETRY;
        for (int tries = 0; code == ARCHIVE_RETRY && tries < 4; ++tries)
            code = archive_read_next_header(reader.get(), &entry);
        if (code == ARCHIVE_EOF) return std::nullopt;
        if (code < ARCHIVE_WARN) {
            if (entries > 0 || !seekable_zip) fail();
            seekable_zip = false;
            if (!try_open()) fail();
            return next();
        }
        ++entries;
        unread = true;
        return describe(entry);
    }

    static ArchiveEntry describe(archive_entry* entry) {
        ArchiveEntry one;
        const char* name = archive_entry_pathname_utf8(entry);
        if (!name) name = archive_entry_pathname(entry);
        if (name) one.path = name;
        const auto type = archive_entry_filetype(entry);
        const bool linked = archive_entry_hardlink(entry) || archive_entry_hardlink_utf8(entry);
        one.kind = type == AE_IFLNK || linked                   ? ArchiveEntry::Kind::link
                   : type == AE_IFDIR                           ? ArchiveEntry::Kind::folder
                   : type == AE_IFREG || (type == 0 && !linked) ? ArchiveEntry::Kind::file
                                                                : ArchiveEntry::Kind::other;
        if (archive_entry_size_is_set(entry)) one.size = archive_entry_size(entry);
        one.encrypted = archive_entry_is_encrypted(entry) != 0;
        one.sparse = archive_entry_sparse_count(entry) > 0;
        return one;
    }

    std::string read(std::size_t max_bytes) {
        std::string all;
        for (std::string_view block; all.size() <= max_bytes && next_block(block);)
            all += block.substr(0, max_bytes + 1 - all.size());
        return all;
    }
};

ArchiveReader::ArchiveReader(UniqueFd file, std::int64_t& unpacked_bytes)
    : state_(new State{.file = std::move(file), .bytes = {}, .left = unpacked_bytes}) {
    const Utf8Locale locale;
    state_->open();
}
ArchiveReader::ArchiveReader(std::string bytes, std::int64_t& unpacked_bytes)
    : state_(new State{.file = UniqueFd(), .bytes = std::move(bytes), .left = unpacked_bytes}) {
    const Utf8Locale locale;
    state_->open();
}
ArchiveReader::ArchiveReader(ArchiveReader&&) noexcept = default;
ArchiveReader::~ArchiveReader() = default;

std::optional<ArchiveEntry> ArchiveReader::next() {
    const Utf8Locale locale;
    return state_->next();
}
std::string ArchiveReader::read(std::size_t max_bytes) { return state_->read(max_bytes); }

}  // namespace course
