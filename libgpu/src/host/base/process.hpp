// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpu::detail::host {

/// How a program ended, and its output.
struct ProcessResult {
    enum class End { exited, signalled, timed_out, not_started };
    End end = End::exited;
    int code = 0;        ///< exit status, signal, or errno
    std::string output;  ///< stdout and stderr together, at most 1 MiB
};

/// Runs a program and waits for it; no shell. Its environment is ours plus `environment` ("NAME=value"); after `limit`,
/// its whole process group is killed.
ProcessResult run_process(const std::vector<std::string>& command, const std::vector<std::string>& environment,
                          std::chrono::milliseconds limit);

/// The path of a program: the name itself if it has a slash and is executable, otherwise found on PATH; empty if
/// nowhere.
std::string find_program(const std::string& name);

/// A private directory below TMPDIR (otherwise /tmp), removed with its contents.
class TemporaryDirectory {
public:
    /// @throws Error with the reason if it can't be created.
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
    std::string path_;
};

/// Writes a whole file. @throws Error "could not write PATH: No space left on device".
void write_file(const std::string& path, std::string_view bytes);

/// Reads a whole file. @throws Error
std::string read_file(const std::string& path);

/// Owns a file descriptor.
class UniqueFd {
public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) noexcept : fd_(fd) {}
    UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    UniqueFd& operator=(UniqueFd&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~UniqueFd() { reset(); }

    [[nodiscard]] int get() const noexcept { return fd_; }
    explicit operator bool() const noexcept { return fd_ >= 0; }
    void reset() noexcept {
        if (fd_ >= 0) ::close(std::exchange(fd_, -1));
    }

private:
    int fd_ = -1;
};

}  // namespace gpu::detail::host
