// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

// Zip archives, as numpy.savez writes them: stored or deflated members, with the 64-bit sizes of large ones. The format
// is that of PKWARE's APPNOTE.TXT, 6.3.10.
namespace gpu::detail {

/// One file in an archive, as the archive's directory describes it.
struct ZipMember {
    std::string name;
    int flags = 0, method = 0;           ///< method 0: stored, 8: deflated
    std::uint64_t packed = 0, size = 0;  ///< bytes in the archive, and when unpacked
    std::uint64_t at = 0;                ///< where its local header begins
    std::uint32_t crc = 0;               ///< of the unpacked bytes
};

/// What an archive is read from. `read` is asked only for bytes that are there.
struct ZipSource {
    std::uint64_t size = 0;
    std::function<void(std::uint64_t at, void* to, std::size_t bytes)> read;
};

/// The directory. @param where for messages: "load_npz(x.npz)"
/// @throws FileError if it contradicts itself or the archive's size
std::vector<ZipMember> zip_members(const ZipSource& source, const std::string& where);

/// A member's bytes.
struct ZipContent {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
};
/// Memory grows with what is really there, whatever the directory says.
/// @throws FileError if it is damaged, encrypted or packed in another way
ZipContent zip_content(const ZipSource& source, const ZipMember& member, const std::string& where);

/// What stands before a member's bytes, and after all members. `at` is where the directory begins.
std::string zip_local_header(const ZipMember& member);
std::string zip_directory(const std::vector<ZipMember>& members, std::uint64_t at);

/// The checksum of these pieces, one after the other.
std::uint32_t zip_crc(std::span<const std::span<const std::byte>> pieces);
/// The pieces, deflated together.
std::string zip_deflated(std::span<const std::span<const std::byte>> pieces);

}  // namespace gpu::detail
