// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.hpp"

namespace gpu::detail::host {

/// The system's C++ compiler, set up for kernels. Found and asked for its version on first use.
class Compiler {
public:
    /// Tries LIBGPU_HOST_CXX, then the compiler that built libgpu, then c++, g++ and clang++ on PATH. LIBGPU_HOST_ARCH
    /// chooses the CPUs to compile for.
    /// @throws LibraryNotFound that lists what was tried and says what to install.
    Compiler();

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    /// Everything that affects the output of compile(): path, version, flags, the CPU's features, prelude.
    [[nodiscard]] const std::string& identity() const noexcept { return identity_; }

    /// A shared object's bytes. @throws CompileFailure, or Error if the compiler crashed, hung or could not write.
    [[nodiscard]] std::string compile(const KernelSource& source) const;
    /// Throws what compile() would, without producing anything; doesn't find linker errors.
    void examine(const KernelSource& source) const;

private:
    enum class Wanted { object, nothing };
    [[nodiscard]] std::string compile(const KernelSource& source, Wanted wanted) const;
    [[nodiscard]] std::string compile_once(const KernelSource& source, const std::string& directory,
                                           Wanted wanted) const;
    /// Returns the compiler's output. @throws CompileFailure, or Error.
    [[nodiscard]] std::string run(const std::vector<std::string>& command, const KernelSource& source,
                                  const std::string& directory) const;
    /// "`name` can't be used in a kernel: why". @throws CompileFailure
    [[noreturn]] void refuse(const KernelSource& source, const std::string& name, const std::string& why) const;
    /// @throws CompileFailure if a checked kernel's object contains what instrumented code doesn't, or hides an access.
    void refuse_native_code(const KernelSource& source, const std::string& object, const std::string& dump,
                            const std::string& directory) const;
    /// The text after preprocessing.
    [[nodiscard]] std::string expanded(const KernelSource& source, const std::string& text,
                                       const std::string& directory) const;
    /// @throws CompileFailure if it uses functions that no GPU has and check mode doesn't see.
    void refuse_foreign_code(const KernelSource& source, std::string_view object, const std::string& directory) const;
    /// All options that stand before the files' names, in their order.
    [[nodiscard]] std::vector<std::string> options_for(const KernelSource& source) const;
    /// The options that a CompileError lists: these, definitions and the linker's.
    [[nodiscard]] std::vector<std::string> all_options_for(const KernelSource& source) const;

    std::string path_, identity_, architecture_;
    bool is_clang_ = false;
};

/// A kernel's options in the host compiler's spelling, except -D and -U, which are part of its text; see
/// write_definitions().
/// @throws CompileFailure for an unsupported option.
std::vector<std::string> translated_options(const std::vector<std::string>& options);

}  // namespace gpu::detail::host
