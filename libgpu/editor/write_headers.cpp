// SPDX-License-Identifier: MIT
// usage: write_headers FOLDER
//
// Writes what kernels are compiled with on the host backend as files, for an editor to read beside cuda_words.hpp.
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <sys/stat.h>

#include "host/prelude/prelude.hpp"

namespace {

// In a system header an editor would hide names that begin with "__": CUDA's own.
std::string shown(std::string_view text) {
    constexpr std::string_view hides = "#pragma GCC system_header\n";
    std::string copy(text);
    if (const std::size_t at = copy.find(hides); at != copy.npos) copy.erase(at, hides.size());
    if (copy.find("#pragma once") == copy.npos) copy.insert(0, "#pragma once\n");
    return copy;
}

bool holds(const std::string& path, const std::string& text) {
    std::FILE* const file = std::fopen(path.c_str(), "r");
    if (file == nullptr) return false;
    std::string found(text.size() + 1, '\0');
    found.resize(std::fread(found.data(), 1, found.size(), file));
    std::fclose(file);
    return found == text;
}

bool written(const std::string& path, const std::string& text) {
    for (std::size_t at = path.find('/', 1); at != path.npos; at = path.find('/', at + 1))
        if (::mkdir(path.substr(0, at).c_str(), 0755) != 0 && errno != EEXIST) return false;
    std::FILE* const file = std::fopen(path.c_str(), "w");
    if (file == nullptr) return false;
    const bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return std::fclose(file) == 0 && whole;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("usage: write_headers FOLDER\n", stderr);
        return 4;
    }
    for (const gpu::detail::host::PreludeFile& file : gpu::detail::host::prelude_files()) {
        const std::string path = std::string(arguments[1]) + '/' + std::string(file.name), text = shown(file.text);
        // What hasn't changed keeps its time: an editor would read it again.
        if (holds(path, text) || written(path, text)) continue;
        std::fprintf(stderr, "write_headers: could not write %s: %s\n", path.c_str(), std::strerror(errno));
        return 1;
    }
    return 0;
}
