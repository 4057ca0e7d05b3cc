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

/// An archive's data on one of its entries.
struct ArchiveEntry {
    enum class Kind { file, folder, link, other };
    std::string path;  ///< the original bytes
    Kind kind = Kind::file;
    std::int64_t size = -1;  ///< -1: not known
    bool encrypted = false, sparse = false;
};

/// Reads a zip file or a tar file (plain, or compressed by gzip, xz, zstd or bzip2), entry by entry.
///
/// The file is untrusted: only one level of compression is undone, only the requested bytes are unpacked if the format
/// allows it, and never more than `unpacked_bytes` in total.
class ArchiveReader {
public:
    /// @throws ArchiveError if it is another kind of file.
    ArchiveReader(UniqueFd file, std::int64_t& unpacked_bytes);
    ArchiveReader(std::string bytes, std::int64_t& unpacked_bytes);
    ArchiveReader(ArchiveReader&&) noexcept;
    ~ArchiveReader();

    /// The next entry; nothing at the end. @throws ArchiveError.
    std::optional<ArchiveEntry> next();
    /// The entry's bytes; of one larger than `most`, only a beginning that is longer than `most`. @throws ArchiveError.
    std::string read(std::size_t max_bytes);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace course
