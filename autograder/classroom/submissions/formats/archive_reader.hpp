// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/files.hpp"

namespace course {

/// An archive that can't be read, or not further. Plain text.
class ArchiveError : public std::runtime_error {
public:
    explicit ArchiveError(const std::string& text);
};

/// What an archive says of one of its entries.
struct ArchiveEntry {
    enum class Kind { file, folder, link, other };
    std::string path;  ///< its bytes, as they are
    Kind kind = Kind::file;
    std::int64_t size = -1;  ///< -1: not known
    bool encrypted = false, sparse = false;
};

/// Reads a zip file or a tar file (plain, or packed by gzip, xz, zstd or bzip2), entry after entry.
///
/// The file is a stranger's: one packing is undone and not those within it, only the bytes that are asked for are
/// unpacked where the format allows it, and never more than `unpacked_bytes` all in all.
class ArchiveReader {
public:
    /// @throws ArchiveError if it is another kind of file.
    ArchiveReader(OpenFile file, std::int64_t& unpacked_bytes);
    ArchiveReader(std::string bytes, std::int64_t& unpacked_bytes);
    ArchiveReader(ArchiveReader&&) noexcept;
    ~ArchiveReader();

    /// The next entry; nothing at the end. @throws ArchiveError.
    std::optional<ArchiveEntry> next();
    /// The entry's bytes, but of one that has more than `most` only a beginning that is longer. @throws ArchiveError.
    std::string read(std::size_t most);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace course
