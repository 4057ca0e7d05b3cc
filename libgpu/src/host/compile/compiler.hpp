// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.hpp"

namespace gpu::detail::host {

/// The system's C++ compiler, as it makes kernels. Found and asked for its version on first use.
class Compiler {
public:
    /// Looks at LIBGPU_HOST_CXX, then the compiler that built libgpu, then c++, g++ and clang++ on PATH; for which CPUs
    /// it compiles, LIBGPU_HOST_ARCH says.
    /// @throws LibraryNotFound that lists what was tried and says what to install.
    Compiler();

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    /// Everything that decides what compile() makes: path, version, flags, the CPU's features, prelude.
    [[nodiscard]] const std::string& identity() const noexcept { return identity_; }

    /// A shared object's bytes. @throws CompileFailure, or Error if the compiler crashed, hung or could not write.
    [[nodiscard]] std::string compile(const KernelSource& source) const;
    /// Throws what compile() would, but makes nothing; what only a linker finds isn't found.
    void examine(const KernelSource& source) const;

private:
    enum class Wanted { object, nothing };
    [[nodiscard]] std::string compile(const KernelSource& source, Wanted wanted) const;
    [[nodiscard]] std::string compile_once(const KernelSource& source, const std::string& directory,
                                           Wanted wanted) const;
    /// What the compiler said. @throws CompileFailure, or Error.
    [[nodiscard]] std::string run(const std::vector<std::string>& command, const KernelSource& source,
                                  const std::string& directory) const;
    /// "`name` can't be used in a kernel: why". @throws CompileFailure
    [[noreturn]] void refuse(const KernelSource& source, const std::string& name, const std::string& why) const;
    /// @throws CompileFailure if a checked kernel's object has what instrumented code doesn't, or hides an access.
    void refuse_native_code(const KernelSource& source, const std::string& object, const std::string& dump,
                            const std::string& directory) const;
    /// The text as its preprocessor leaves it.
    [[nodiscard]] std::string expanded(const KernelSource& source, const std::string& text,
                                       const std::string& directory) const;
    /// @throws CompileFailure if it uses what no GPU has and check mode doesn't see.
    void refuse_foreign_code(const KernelSource& source, std::string_view object, const std::string& directory) const;
    /// In the order in which they are given: all that stand before the files' names.
    [[nodiscard]] std::vector<std::string> options_for(const KernelSource& source) const;
    /// What a CompileError tells: these, definitions, and the linker's.
    [[nodiscard]] std::vector<std::string> all_options_for(const KernelSource& source) const;

    std::string path_, identity_, architecture_;
    bool is_clang_ = false;
};

/// A kernel's options in the host compiler's spelling, but for -D and -U: they are in its text, see
/// write_definitions().
/// @throws CompileFailure for one it can't take.
std::vector<std::string> translated_options(const std::vector<std::string>& options);

}  // namespace gpu::detail::host
