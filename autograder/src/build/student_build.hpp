// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "build/diagnostics.hpp"
#include "build/toolchain.hpp"
#include "collect/collect.hpp"
#include "manifest/manifest.hpp"
#include "sandbox/sandbox.hpp"

namespace course {

/// A student's answer, built or not.
struct StudentObject {
    std::filesystem::path object;   ///< the shared object; empty if the answer doesn't compile
    std::string error;              ///< the first error, with the student's own paths and lines
    std::vector<std::string> warnings;  ///< of what compiles, and is hardly meant so: a function without its return
    PathNames names;                ///< also for what kernels' compile errors say later
};

/// What a student's compilation may touch: the scratch folder; headers of the exercise, of libgpu and of the system.
Policy compiler_policy(const Toolchain& toolchain, const Manifest& manifest, const std::filesystem::path& scratch);

/// Writes the answer's files into scratch/student and builds them there, with our flags only and under that policy.
class StudentBuild {
public:
    /// Writes the files. @throws BuildFault if the disk is full.
    StudentBuild(const Toolchain& toolchain, const Manifest& manifest, const Answer& answer,
                 const std::filesystem::path& scratch);

    /// Compiles each .cpp; false if one has an error. @throws BuildFault if there is no compiler or no room.
    bool compile_sources();
    /// Links them with the exercise's bindings.
    bool link(const std::filesystem::path& bind_object);

    [[nodiscard]] const StudentObject& result() const noexcept { return result_; }

private:
    const Toolchain& toolchain_;
    const Manifest& manifest_;
    std::filesystem::path scratch_, folder_;
    StudentObject result_;
    std::unique_ptr<Sandbox> sandbox_;   ///< null where COURSE_SANDBOX says off
};

}  // namespace course
