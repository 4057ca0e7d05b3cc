// SPDX-License-Identifier: MIT
#pragma once

#include "host/base/abi.hpp"

namespace gpu::detail::host {

/// `gpu_checks` of a checked kernel's object: libgpu fills it in when the kernel is loaded; then its page, which holds
/// nothing else, becomes read-only. linked/check_object.cpp relies on the order.
struct PageOfCalls : gpu_check_calls {
    const gpu_host_calls* host;
};

}  // namespace gpu::detail::host
