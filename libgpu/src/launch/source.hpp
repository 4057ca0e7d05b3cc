// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gpu/kernel_options.hpp>
#include <gpu/source.hpp>

#include "jit/includes.hpp"

namespace gpu::detail {

/// A source in the form for backends: with the files that it includes inserted.
inline SourceText snippet_of(const Source& source, const std::vector<std::string>& options = {}) {
    return with_includes({source.text(), source.file(), source.line()}, source.folder(), options);
}

/// A kernel's preamble, with the files that it includes inserted; `caller` is the C++ file that creates the kernel.
inline SourceText preamble_of(const KernelOptions& options, const std::string& kernel, const char* caller) {
    return with_includes({options.preamble, kernel + " (preamble)", 1},
                         std::filesystem::path(caller).parent_path().string(), options.options);
}

/// The places where a file was searched for: next to the program's source and, if different, in the working folder.
std::string places_of(const std::string& beside, const std::string& wanted);

}  // namespace gpu::detail
