// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "sandbox/policy.hpp"
#include "sandbox/sandbox_use.hpp"

namespace course {

/// The machine can't build: no compiler, a full disk. Not the student's fault.
class BuildFault : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The compiler and the folders that the kit builds with.
struct Toolchain {
    std::string compiler;                       ///< COURSE_CXX, else what the kit was built with
    std::vector<std::string> sanitize;          ///< the kit's own sanitizer flags: what it loads has to match
    std::filesystem::path source_dir, build_dir, program_dir, library_dir;
    std::filesystem::path gpu_include, course_include, eigen_include;
    SandboxUse sandbox = SandboxUse::everywhere;
    std::filesystem::path student_header = {};   ///< of StudentHeader; empty: none
    std::string gpu_headers = {};                ///< gpu_headers_key(), for all that need it; empty: each computes it
    std::vector<std::filesystem::path> hidden = {};   ///< from sandboxed programs, besides the course: others' answers

    /// What CMake configured, and COURSE_CXX and COURSE_SANDBOX from the environment.
    /// @throws std::runtime_error if COURSE_SANDBOX says what it can't
    static Toolchain configured();

    /// Where the shell would find the compiler; empty if nowhere.
    [[nodiscard]] std::filesystem::path compiler_path() const;

    /// "g++ (Debian 12.2.0) 12.2.0"; empty if it can't be run.
    [[nodiscard]] std::string compiler_version() const;

    /// What sandboxed programs may read of this machine (the compiler, the kit's libraries), and what is hidden from
    /// them: the course, besides what surroundings_of_environment() says.
    [[nodiscard]] Surroundings surroundings() const;

    /// The environment of every compiler: messages in English and ASCII, temporary files in `scratch`.
    [[nodiscard]] static std::vector<std::string> environment(const std::filesystem::path& scratch);
};

}  // namespace course
