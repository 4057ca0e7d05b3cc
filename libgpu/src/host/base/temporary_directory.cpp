// SPDX-License-Identifier: MIT
#include "host/base/temporary_directory.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <gpu/error.hpp>

#include "host/base/unique_fd.hpp"

namespace gpu::detail::host {

namespace {

[[noreturn]] void fail(const std::string& what, const std::string& path, int error) {
    throw Error("could not " + what + ' ' + path + ": " + std::strerror(error));
}

}  // namespace

TemporaryDirectory::TemporaryDirectory() {
    const char* parent = std::getenv("TMPDIR");
    path_ = std::string(parent != nullptr && *parent != '\0' ? parent : "/tmp") + "/libgpu-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) fail("make a temporary directory", path_, errno);
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

void write_file(const std::string& path, std::string_view bytes) {
    const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!file) fail("write", path, errno);
    while (!bytes.empty()) {
        const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail("write", path, written < 0 ? errno : ENOSPC);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

std::string read_file(const std::string& path) {
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) fail("read", path, errno);
    std::string bytes;
    char buffer[1 << 16];
    for (;;) {
        const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail("read", path, errno);
        if (got == 0) return bytes;
        bytes.append(buffer, static_cast<std::size_t>(got));
    }
}

}  // namespace gpu::detail::host
