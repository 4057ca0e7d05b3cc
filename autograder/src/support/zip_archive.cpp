// SPDX-License-Identifier: MIT
#include "support/zip_archive.hpp"

#include <memory>
#include <stdexcept>

#include <archive.h>
#include <archive_entry.h>

namespace course {

namespace {

la_ssize_t append(archive*, void* text, const void* data, std::size_t size) {
    static_cast<std::string*>(text)->append(static_cast<const char*>(data), size);
    return static_cast<la_ssize_t>(size);
}

}  // namespace

std::string zip_archive(const std::vector<ArchivedFile>& files) {
    std::string bytes;
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

}  // namespace course
