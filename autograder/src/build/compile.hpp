// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "build/diagnostics.hpp"
#include "sandbox/policy.hpp"
#include "sandbox/sandbox.hpp"
#include "support/process.hpp"

namespace course {

/// The machine can't build: no compiler, a full disk. Not the student's fault.
class BuildFault : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The compiler and the folders for building.
struct Toolchain {
    std::string compiler;                       ///< COURSE_CXX, otherwise the compiler that built the kit
    std::vector<std::string> sanitize;          ///< the kit's own sanitizer flags, which its objects must match
    std::filesystem::path source_dir, build_dir, program_dir, library_dir;
    std::filesystem::path gpu_include, course_include, eigen_include;
    std::filesystem::path gpucc, gpucc_include;   ///< the compiler of plain CUDA programs, and its headers
    SandboxUse sandbox = SandboxUse::everywhere;
    std::filesystem::path student_header = {};   ///< of StudentHeader; empty: none
    std::string gpu_headers = {};                ///< gpu_headers_key(), for all that need it; empty: each computes it
    std::vector<std::string> variables = {};   ///< of runners and course-probe, before this program's own
    std::vector<std::filesystem::path> hidden = {};   ///< from sandboxed programs, besides the course: others' answers

    /// What CMake configured, with COURSE_CXX and COURSE_SANDBOX from the environment.
    /// @throws std::runtime_error if COURSE_SANDBOX has an invalid value
    static Toolchain configured();

    /// The path at which the shell would find the compiler; empty if nowhere.
    [[nodiscard]] std::filesystem::path compiler_path() const;

    /// "g++ (Debian 12.2.0) 12.2.0"; empty if it can't be run.
    [[nodiscard]] std::string compiler_version() const;

    /// What sandboxed programs may read on this machine (the compiler, the kit's libraries), and what is hidden from
    /// them: the course, besides what surroundings_of_environment() lists.
    [[nodiscard]] Surroundings surroundings() const;

    /// The environment of every compiler: messages in English and ASCII, temporary files in `scratch`.
    [[nodiscard]] static std::vector<std::string> environment(const std::filesystem::path& scratch);
};

/// The compiler and flags for students' files and bind.cpp, without include folders other than Eigen's.
std::vector<std::string> student_flags(const Toolchain& toolchain);
/// The warnings that a verdict shows, by their names without "-W"; and the flags that enable them.
std::span<const std::string_view> shown_warnings() noexcept;
std::vector<std::string> warning_flags(const Toolchain& toolchain);
/// The flags for messages in the form that diagnostics.cpp reads: plain text, a single error, no folded lines.
std::vector<std::string> plain_messages(const Toolchain& toolchain);
/// The flags for compiling a check and linking it as a plug-in.
std::vector<std::string> check_flags(const Toolchain& toolchain);

bool is_clang(const Toolchain& toolchain);

/// Changes if the compiler is replaced by another one.
std::string compiler_identity(const Toolchain& toolchain);

/// Runs the compiler in `scratch`, with limits on files, memory and time.
/// @param sandbox for a student's sources; null: they are the kit's own
/// @throws BuildFault if there is no compiler, or if the disk is full.
ProcessResult compile(const Toolchain& toolchain, const std::vector<std::string>& command,
                      const std::filesystem::path& scratch, double seconds, Sandbox* sandbox = nullptr);

/// Why a compilation failed, for people: the first error; otherwise why the compiler was stopped.
std::string failure_text(const ProcessResult& result, const PathNames& names, Vocabulary words = Vocabulary::libgpu);

/// Builds libgpu's linear algebra for the host if it doesn't exist, and says so. That takes minutes and few exercises
/// need it, so neither `make tour` nor the first exercises wait for it. Once built, make keeps it up to date.
/// @throws BuildFault
void build_linear_algebra(const Toolchain& toolchain);
/// The same for gpucc.
void build_gpucc(const Toolchain& toolchain);

}  // namespace course
