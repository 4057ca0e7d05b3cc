// SPDX-License-Identifier: MIT
// The last file of the prelude before the learner's text. From here on a kernel can neither ask whether check mode
// compiles it nor leave itself out: the compiler refuses the words for that, however macros put them together. Macros
// that were defined before may still hold them.
#include "host/prelude/prelude.hpp"

namespace gpu::detail::host::text {

const char sealed[] = R"gpu(
#pragma GCC system_header
#undef __SANITIZE_THREAD__
#undef __SANITIZE_ADDRESS__
#undef __has_feature
#undef __has_extension
#undef GPU_CHECKED
#undef GPU_UNCHECKED
#undef GPU_RUNTIME
#define gpu_at_dynamic_shared __asm__("gpu_dynamic_shared")
#pragma GCC poison no_sanitize __no_sanitize__ no_sanitize_thread __no_sanitize_thread__
#pragma GCC poison no_sanitize_address __no_sanitize_address__ no_sanitize_undefined __no_sanitize_undefined__
#pragma GCC poison no_address_safety_analysis __no_address_safety_analysis__
#pragma GCC poison no_instrument_function __no_instrument_function__ disable_sanitizer_instrumentation
#pragma GCC poison asm __asm __asm__ __has_include __has_include_next __has_embed
#pragma GCC poison GPU_CHECKED GPU_UNCHECKED GPU_RUNTIME gpu_checks gpu_check_calls gpu_checks_block_scope gpu_state
#pragma GCC poison gpu_state_address gpu_state_word gpu_any_argument gpu_argument_value gpu_local_begins_at
#pragma GCC poison gpu_copy_value gpu_values_of_tiles
)gpu";

}  // namespace gpu::detail::host::text
