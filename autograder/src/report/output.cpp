// SPDX-License-Identifier: MIT
#include "report/output.hpp"

#include <cerrno>

#include <unistd.h>

#include "support/text.hpp"

namespace course {

namespace {

void write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR) return;
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

void print(std::string_view text) { write_all(STDOUT_FILENO, fitted(text, terminal_columns())); }

void print_error(std::string_view text) {
    write_all(STDERR_FILENO, fitted(text, ::isatty(STDERR_FILENO) == 1 ? terminal_columns() : 0));
}

}  // namespace course
