// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "libgpu/src/base.hpp"

namespace course {

using UniqueFd = gpu::detail::UniqueFd;

/// The machine refuses something: a full disk, a read-only folder. The message names the file and the reason.
class FileError : public std::runtime_error {
public:
    FileError(const std::string& doing, const std::filesystem::path& path, int error_number);
    FileError(const std::string& message, int error_number);
    [[nodiscard]] int error_number() const noexcept { return error_number_; }

private:
    int error_number_;
};

/// Reads a regular file. A named pipe in its place is an error; nothing is waited for. @throws FileError.
std::string read_file(const std::filesystem::path& path);
/// Reads at most a little more than `most` bytes, so that a larger file can be recognized.
std::string read_file(const std::filesystem::path& path, std::size_t max_bytes);

/// Reads anything to its end: standard input, a pipe. @throws FileError.
std::string read_stream(const std::filesystem::path& path, std::size_t max_bytes);

/// Creates or overwrites the file. @throws FileError.
void write_file(const std::filesystem::path& path, std::string_view text);

/// Writes the file atomically: a reader sees the old or the new text, and so does one after a power cut. @throws
/// FileError.
void write_file_atomically(const std::filesystem::path& path, std::string_view text, unsigned mode = 0644);

/// Creates the folder and its parents. @throws FileError.
void make_folders(const std::filesystem::path& path);

/// Holds an exclusive lock on a file, which is created if missing, until the end of the scope; waits for others.
/// @throws FileError if the file can't be created.
class FileLock {
public:
    explicit FileLock(const std::filesystem::path& path);

private:
    UniqueFd file_;
};

/// Opens a folder that this user owns, restoring the owner's rights if they were removed. Doesn't follow links. On
/// failure errno says why.
UniqueFd open_own_folder(int parent, const char* name);

/// The names in an open folder, without "." and "..".
std::vector<std::string> names_in(int folder);

/// Removes a file, or a folder with its contents: however deep, and whatever rights the owner lacks. Links are removed,
/// never followed. False if something is left.
bool remove_tree(const std::filesystem::path& path) noexcept;

/// XXH128 of the bytes in 32 hexadecimal digits, as xxh128sum prints it. Detects damage, not forgery.
std::string digest(std::string_view bytes);

/// A file in an archive: its path there ("08-raw-add/raw_add.cu") and its bytes.
struct ArchivedFile {
    std::string path, bytes;
    friend bool operator==(const ArchivedFile&, const ArchivedFile&) = default;
};

/// A zip file's bytes with these files, in this order. The same files give the same bytes, on any day and machine: no
/// times, no owners, and stored uncompressed, so the compressor's version doesn't matter. Paths are UTF-8, and marked
/// as such. @throws std::runtime_error
std::string zip_archive(const std::vector<ArchivedFile>& files);

/// A PNG file's bytes with these pixels: 8 bits for each of 1 (grey) or 3 channels (red, green, blue), row by row.
/// @throws std::runtime_error for a size that no file can have, such as 0 pixels.
std::string png_file(int rows, int columns, int channels, std::span<const std::uint8_t> pixels);

}  // namespace course
