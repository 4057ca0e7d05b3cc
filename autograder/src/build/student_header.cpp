// SPDX-License-Identifier: MIT
#include "build/student_header.hpp"

#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "build/compile.hpp"
#include "build/source_key.hpp"
#include "support/files.hpp"
#include "support/process.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

std::vector<std::string> command_for(const Toolchain& toolchain) {
    std::vector<std::string> command = student_flags(toolchain);
    command.insert(command.end(), {"-I" + toolchain.gpu_include.string(), "-x", "c++-header"});
    return command;
}

}  // namespace

StudentHeader::StudentHeader(const Toolchain& toolchain)
    : StudentHeader(toolchain, toolchain.build_dir / "student-header") {}

StudentHeader::StudentHeader(const Toolchain& toolchain, const fs::path& folder)
    : toolchain_(toolchain), header_(folder / "gpu.hpp") {
    if (is_clang(toolchain)) return;
    SourceKey key;
    key.add(compiler_identity(toolchain));
    for (const std::string& argument : command_for(toolchain)) key.add(argument);
    key.add(gpu_headers_key(toolchain));
    key_ = key.value();
}

// Of an object with this size and this time, in seconds as an image keeps it: 60 MB aren't read again for each answer.
std::string StudentHeader::key_text() const {
    struct stat info {};
    if (::stat(precompiled().c_str(), &info) != 0) return "";
    return fmt::format("{} {} {}\n", key_, info.st_size, info.st_mtim.tv_sec);
}

fs::path StudentHeader::kept() const {
    std::error_code error;
    const bool is_there =
        !key_.empty() && fs::is_regular_file(key_file(), error) && fs::is_regular_file(header_, error);
    return is_there && read_file(key_file()) == key_text() ? header_ : fs::path();
}

fs::path StudentHeader::keep() const {
    if (key_.empty()) return {};
    try {
        make_folders(header_.parent_path());
        const FileLock lock(header_.parent_path() / "lock");
        if (const fs::path fresh = kept(); !fresh.empty()) return fresh;
        write_file_atomically(header_, "// SPDX-License-Identifier: MIT\n#include <gpu/gpu.hpp>\n");
        const TemporaryPath made(fmt::format("{}.{}.tmp", precompiled().string(), ::getpid()));
        std::vector<std::string> command = command_for(toolchain_);
        command.insert(command.end(), {header_.string(), "-o", made.path().string()});
        if (!compile(toolchain_, command, header_.parent_path(), 120).succeeded()) return {};
        fs::rename(made.path(), precompiled());
        write_file_atomically(key_file(), key_text());
        return header_;
    } catch (const FileError&) {
    } catch (const fs::filesystem_error&) {
    }
    return {};
}

}  // namespace course
