// SPDX-License-Identifier: MIT
#include "host/prelude/prelude.hpp"

// The object of linked/check_object.cpp; the build passes its path.
__asm__(
    ".pushsection .rodata.gpu_check_object, \"a\"\n"
    ".balign 16\n"
    ".globl gpu_check_object_begin\n"
    ".hidden gpu_check_object_begin\n"
    "gpu_check_object_begin:\n"
    ".incbin \"" GPU_CHECK_OBJECT "\"\n"
    ".globl gpu_check_object_end\n"
    ".hidden gpu_check_object_end\n"
    "gpu_check_object_end:\n"
    ".popsection\n");

extern "C" const char gpu_check_object_begin[], gpu_check_object_end[];

namespace gpu::detail::host {

std::string_view check_object() {
    return {gpu_check_object_begin, static_cast<std::size_t>(gpu_check_object_end - gpu_check_object_begin)};
}

}  // namespace gpu::detail::host
