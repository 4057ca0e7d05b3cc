// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace gpu::detail::host {

/// A directory of our own below TMPDIR (else /tmp), removed with all it holds.
class TemporaryDirectory {
public:
    /// @throws Error that says why if it can't be made.
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

}  // namespace gpu::detail::host
