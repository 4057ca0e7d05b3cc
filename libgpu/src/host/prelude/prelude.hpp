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

/// The last of them before the learner's text, see prelude_sealed.cpp; before it what can't be compiled behind it.
std::string sealing_preludes(const std::vector<Token>& learners);

/// What is written of halves, said of bfloat16: the two types have the same functions under other names.
std::string bfloat16_of_half(std::string_view text);

/// What the last of them says.
std::string sealed_words();

namespace text {
extern const char types[], vectors[], math[], math_more[], atomics[], print[], raw[], sync[], turns[];
extern const char raw_loop[], raw_fiber[];
extern const char generated[], positions[], generated_check[], generated_atomics[], constants[], check[], raw_check[];
extern const char bfloat16_bits[], groups_scan[], cuda_std[], cuda_std_types[], classes[];
extern const char cuda_atomic[], cuda_pipeline[], curand[], heap[], runtime_types[], texture[];
extern const char copies[], groups_copies[];
extern const char intrinsics[], special[], simd[], half_bits[], half[], half_math[], groups[], groups_reduce[];
}

}  // namespace gpu::detail::host
