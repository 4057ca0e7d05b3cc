// SPDX-License-Identifier: MIT
// The last file of the prelude before the learner's text. From here on, a kernel can neither detect check mode nor
// exempt itself: the compiler rejects the words for that, however macros assemble them. Macros defined earlier may
// still contain them. The same applies to the host compiler's atomics and to its builtins that store to memory unseen:
// prelude.cpp adds their names.

#pragma GCC system_header
#undef __SANITIZE_THREAD__
#undef __SANITIZE_ADDRESS__
#undef __CET__
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
#pragma GCC poison gpu_large_argument gpu_raw
#pragma GCC poison gpu_calls gpu_host_calls gpu_thread_state GPU_HOST GPU_CHECK gpu_print
#pragma GCC poison gpu_frexp gpu_frexpf gpu_modf gpu_modff gpu_remquo gpu_remquof
#pragma GCC poison gpu_copy_value gpu_values_of_tiles gpu_skip_xorwow gpu_heap_allocate gpu_heap_release
#pragma GCC poison gpu_copy_later gpu_finish_copies gpu_tell_phase
#pragma GCC poison gpu_find_texels
// The compiler would turn these into unreported instructions; plain calls are reported to check mode.
#define __builtin_memcpy memcpy
#define __builtin_memmove gpu_memmove
#define __builtin_memset memset
#pragma GCC poison __builtin___memcpy_chk __builtin___memmove_chk __builtin___memset_chk __builtin___mempcpy_chk
#pragma GCC poison __builtin_mempcpy __builtin_bcopy __builtin_bzero __builtin_strcpy __builtin_stpcpy
#pragma GCC poison __builtin_strncpy __builtin_stpncpy __builtin_strcat __builtin_strncat
#pragma GCC poison __builtin_frexp __builtin_frexpf __builtin_modf __builtin_modff __builtin_remquo
#pragma GCC poison __builtin_remquof __builtin_sincos __builtin_sincosf
