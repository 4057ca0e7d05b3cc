// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

namespace support {

/// What a function and the kernels that it waits for write to standard output.
template <class F>
std::string printed(F&& f) {
    std::fflush(stdout);
    const int saved = ::dup(1);
    std::FILE* const file = std::tmpfile();
    ::dup2(::fileno(file), 1);
    f();
    std::fflush(stdout);
    ::dup2(saved, 1);
    ::close(saved);
    std::fseek(file, 0, SEEK_END);
    std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
    std::rewind(file);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    return text;
}

}  // namespace support
