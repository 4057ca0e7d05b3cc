// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

namespace support {

/// What a function and the kernels that it waits for write to standard output, or to `stream`.
template <class F>
std::string printed(F&& f, std::FILE* stream = stdout) {
    std::fflush(stream);
    const int number = ::fileno(stream), saved = ::dup(number);
    std::FILE* const file = std::tmpfile();
    ::dup2(::fileno(file), number);
    f();
    std::fflush(stream);
    ::dup2(saved, number);
    ::close(saved);
    std::fseek(file, 0, SEEK_END);
    std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
    std::rewind(file);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    return text;
}

}  // namespace support
