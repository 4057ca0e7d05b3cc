// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "build/toolchain.hpp"

namespace course {

/// libgpu's headers, parsed once for all answers: a folder with gpu.hpp and, beside it, what g++ keeps of it, for
/// Toolchain::student_header. It saves more than half of what a student's file takes to compile, and changes nothing
/// else: a compiler that can't use what was kept reads the header.
class StudentHeader {
public:
    /// The one in the build folder, for all who judge with this kit.
    explicit StudentHeader(const Toolchain& toolchain);
    /// One of its own, in a folder that is made for it.
    StudentHeader(const Toolchain& toolchain, const std::filesystem::path& folder);

    /// Its path if it is up to date, else empty: also for a compiler other than g++, which has none.
    [[nodiscard]] std::filesystem::path kept() const;
    /// Brings it up to date: about a second. Two runs at once are both right. Empty where it can't be: no room, or
    /// somebody else's build folder.
    std::filesystem::path keep() const;

private:
    [[nodiscard]] std::filesystem::path precompiled() const { return header_.string() + ".gch"; }
    [[nodiscard]] std::filesystem::path key_file() const { return header_.string() + ".key"; }
    [[nodiscard]] std::string key_text() const;

    const Toolchain& toolchain_;
    std::filesystem::path header_;
    std::string key_;
};

}  // namespace course
