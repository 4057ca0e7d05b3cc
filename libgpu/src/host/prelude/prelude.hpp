// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail::host {

/// One file of the prelude, which kernels are compiled with instead of headers.
struct PreludeFile {
    std::string_view name;  ///< the name in a kernel's #include: "libgpu/raw_loop.hpp"
    std::string_view text;
};

/// All files of the prelude. A kernel's text includes exactly one of them; they include each other.
const std::vector<PreludeFile>& prelude_files();

/// The files that a text includes, directly or not: the others needn't be written for a compiler to read.
std::vector<const PreludeFile*> prelude_files_for(std::string_view text);

/// The object file that checked kernels are linked with.
std::string_view check_object();

/// Changes whenever a file or the object does.
std::string prelude_fingerprint();

/// `#include` lines for the rarer files of which this learner's text names something; "" if none. What isn't read isn't
/// compiled: that keeps short kernels fast to build.
std::string optional_preludes(const std::vector<Token>& learners);

/// The same for what only raw kernels have: textures.
std::string texture_prelude(const std::vector<Token>& learners);

/// The last one before the learner's text, see core/sealed.cuh; it is preceded by what can't be compiled after it.
std::string sealing_preludes(const std::vector<Token>& learners);

}  // namespace gpu::detail::host
