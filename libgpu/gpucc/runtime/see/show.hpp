// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/trace.hpp>

namespace gpucc {

/// The launches that GPUCC_SHOW_KERNEL and GPUCC_SHOW_LAUNCH choose. @throws gpu::Error for a launch that is no number
[[nodiscard]] gpu::TraceOptions trace_options();

/// Writes the page of pictures to GPUCC_SHOW, and says so, or why there is nothing on it. @throws gpu::Error
void write_page(const gpu::Trace& trace);

}  // namespace gpucc
