// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/open_file.hpp"

namespace course {

/// Something that the machine refuses: a full disk, a read-only folder. The message names the file and the reason.
class FileError : public std::runtime_error {
public:
    FileError(const std::string& doing, const std::filesystem::path& path, int error_number);
    FileError(const std::string& message, int error_number);
    [[nodiscard]] int error_number() const noexcept { return error_number_; }

private:
    int error_number_;
};

/// The whole of a regular file; a named pipe in its place is an error, and nothing is waited for. @throws FileError.
std::string read_file(const std::filesystem::path& path);
/// The same; of a file of more than `most` bytes only a beginning that is longer than `most`.
std::string read_file(const std::filesystem::path& path, std::size_t most);

/// The same of anything that can be read to its end: standard input, a pipe. @throws FileError.
std::string read_stream(const std::filesystem::path& path, std::size_t most);

/// Makes or replaces the file in place. @throws FileError.
void write_file(const std::filesystem::path& path, std::string_view text);

/// The same so that a reader sees the old text or the new one, and a power cut leaves one of them. @throws FileError.
void write_file_atomically(const std::filesystem::path& path, std::string_view text, unsigned mode = 0644);

/// Makes the folder and those above it. @throws FileError.
void make_folders(const std::filesystem::path& path);

/// An exclusive lock on a file (made if it is missing) until the end of the scope; waits for others.
/// @throws FileError if the file can't be made.
class FileLock {
public:
    explicit FileLock(const std::filesystem::path& path);

private:
    OpenFile file_;
};

}  // namespace course
