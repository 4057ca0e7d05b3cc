// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include <unistd.h>

namespace course {

/// Owns an open file descriptor; a negative one is none.
class OpenFile {
public:
    explicit OpenFile(int number = -1) noexcept : number_(number) {}
    OpenFile(OpenFile&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    OpenFile& operator=(OpenFile&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~OpenFile() {
        if (number_ >= 0) ::close(number_);
    }

    [[nodiscard]] int get() const noexcept { return number_; }
    explicit operator bool() const noexcept { return number_ >= 0; }

private:
    int number_;
};

}  // namespace course
