// SPDX-License-Identifier: MIT
#include "support/file_formats.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <png.h>

namespace course {

namespace {

la_ssize_t append(archive*, void* text, const void* data, std::size_t size) {
    static_cast<std::string*>(text)->append(static_cast<const char*>(data), size);
    return static_cast<la_ssize_t>(size);
}

/// Has this thread write names as UTF-8, which libarchive marks as such only where the locale says so.
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
