// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "build/compile.hpp"
#include "build/diagnostics.hpp"
#include "collect/collect.hpp"
#include "manifest/manifest.hpp"
#include "sandbox/sandbox.hpp"

namespace course {

/// A student's answer, built or not.
struct StudentObject {
    std::filesystem::path object;   ///< the shared object; empty if the answer doesn't compile
    std::string error;              ///< the first error, with the student's own paths and lines
    std::vector<std::string> warnings;  ///< for code that compiles but is hardly intended
    PathNames names;                ///< also used for kernels' later compile errors
};

/// What a student's compilation may access: the scratch folder; headers of the exercise, of libgpu and of the system.
Policy compiler_policy(const Toolchain& toolchain, const Manifest& manifest, const std::filesystem::path& scratch);

/// Writes the answer's files to scratch/student and builds them there, with our flags only and under that policy.
class StudentBuild {
public:
    /// Writes the files. @throws BuildFault if the disk is full.
    StudentBuild(const Toolchain& toolchain, const Manifest& manifest, const Answer& answer,
                 const std::filesystem::path& scratch);

    /// Compiles each .cpp, and a program's .cu files; false if one has an error. @throws BuildFault if there is no
    /// compiler or no room.
    bool compile_sources();
    /// Links them with the exercise's bindings.
    bool link(const std::filesystem::path& bind_object);

    [[nodiscard]] const StudentObject& result() const noexcept { return result_; }

    /// The folder of an answer's files and its object.
    static std::filesystem::path folder_in(const std::filesystem::path& scratch) { return scratch / "student"; }

private:
    [[nodiscard]] Vocabulary words() const noexcept;
    [[nodiscard]] bool is_compiled(const std::string& name) const;
    [[nodiscard]] std::vector<std::string> command_for(const std::string& name) const;

    const Toolchain& toolchain_;
    const Manifest& manifest_;
    std::filesystem::path scratch_, folder_;
    StudentObject result_;
    std::unique_ptr<Sandbox> sandbox_;   ///< null if COURSE_SANDBOX is off
};

/// libgpu's headers, precompiled once for all answers: a folder with gpu.hpp and g++'s compiled form of it, for
/// Toolchain::student_header. It saves more than half of the compile time of a student's file and changes nothing else:
/// a compiler that can't use it reads the header.
class StudentHeader {
public:
    /// The one in the build folder, shared by all who judge with this kit.
    explicit StudentHeader(const Toolchain& toolchain);
    /// A separate one, in a new folder.
    StudentHeader(const Toolchain& toolchain, const std::filesystem::path& folder);

    /// Its path if it is up to date, otherwise empty; always empty for compilers other than g++.
    [[nodiscard]] std::filesystem::path kept() const;
    /// Brings it up to date: about a second. Two runs at once are safe. Empty if it can't be built: no room, or a build
    /// folder that isn't writable.
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
