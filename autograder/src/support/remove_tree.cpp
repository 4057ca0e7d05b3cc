// SPDX-License-Identifier: MIT
#include "support/remove_tree.hpp"

#include <cerrno>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace course {

OpenFile open_own_folder(int parent, const char* name) {
    constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    OpenFile folder(::openat(parent, name, flags));
    struct stat info {};
    const bool closed = folder ? ::fstat(folder.get(), &info) == 0 && (info.st_mode & S_IRWXU) != S_IRWXU
                               : errno == EACCES;
    if (!closed) return folder;
    if (folder) ::fchmod(folder.get(), S_IRWXU);
    else if (::fstatat(parent, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(info.st_mode) ||
             ::fchmodat(parent, name, S_IRWXU, 0) != 0)
        return folder;
    return folder ? std::move(folder) : OpenFile(::openat(parent, name, flags));
}

std::vector<std::string> names_in(int folder) {
    std::vector<std::string> names;
    DIR* const stream = ::fdopendir(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (stream == nullptr) return names;
    while (const dirent* entry = ::readdir(stream)) {
        const std::string name = entry->d_name;
        if (name != "." && name != "..") names.push_back(name);
    }
    ::closedir(stream);
    return names;
}

namespace {

bool remove_entry(int folder, const std::string& name) {
    return ::unlinkat(folder, name.c_str(), 0) == 0 || ::unlinkat(folder, name.c_str(), AT_REMOVEDIR) == 0;
}

/// Empties the folder. What lies two levels down is moved one level up: no depth needs more than two open files.
bool empty(int folder) {
    std::size_t moved = 0;
    for (std::vector<std::string> names; !(names = names_in(folder)).empty();) {
        bool progress = false;
        for (const std::string& name : names) {
            if (remove_entry(folder, name)) {
                progress = true;
                continue;
            }
            const OpenFile inner = open_own_folder(folder, name.c_str());
            if (!inner) continue;
            for (const std::string& one : names_in(inner.get())) {
                if (remove_entry(inner.get(), one)) {
                    progress = true;
                    continue;
                }
                static_cast<void>(open_own_folder(inner.get(), one.c_str()));   // a closed folder can't be moved
                const std::string free = ".removed-" + std::to_string(moved++);
                progress |= ::renameat(inner.get(), one.c_str(), folder, free.c_str()) == 0;
            }
            progress |= remove_entry(folder, name);
        }
        if (!progress) return false;
    }
    return true;
}

}  // namespace

bool remove_tree(const std::filesystem::path& path) noexcept try {
    if (::unlink(path.c_str()) == 0 || errno == ENOENT) return true;
    if (const OpenFile folder = open_own_folder(AT_FDCWD, path.c_str())) empty(folder.get());
    return ::rmdir(path.c_str()) == 0 || errno == ENOENT;
} catch (...) {
    return false;
}

}  // namespace course
