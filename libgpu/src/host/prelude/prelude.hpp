// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail::host {

/// One file of the prelude: what kernels are compiled with instead of headers.
struct PreludeFile {
    std::string_view name;  ///< as a kernel's text includes it: "libgpu/raw_loop.hpp"
    std::string_view text;
};

/// All files of the prelude. A kernel's text includes exactly one of them; they include each other.
const std::vector<PreludeFile>& prelude_files();

/// Those that a text includes, and those that these include: the others needn't be written for a compiler to read.
std::vector<const PreludeFile*> prelude_files_for(std::string_view text);

/// The object file that checked kernels are linked with.
std::string_view check_object();

/// A number that changes when any of the files does, or the object.
std::string prelude_fingerprint();

/// `#include` lines for the files that most kernels do without and this learner's text names something of; "" for none.
/// What isn't read isn't compiled: that keeps short kernels fast to build.
std::string optional_preludes(const std::vector<Token>& learners);

/// The same for what only raw kernels have: textures.
std::string texture_prelude(const std::vector<Token>& learners);

/// The last of them before the learner's text, see core/sealed.cuh; before it what can't be compiled behind it.
std::string sealing_preludes(const std::vector<Token>& learners);

}  // namespace gpu::detail::host
