// SPDX-License-Identifier: MIT
#pragma once

#include "codegen/kernel_text.hpp"

namespace gpu::detail::host {

// The host's skeletons: the code around a kernel's text that makes it a `libgpu_module` for a C++ compiler.

/// As a vectorised loop over a chunk of the index space.
KernelSource generate_elementwise(const ElementwiseText& text);

/// As a fixed tree over the reduced range.
KernelSource generate_reduction(const ReductionText& text);

/// The same for check mode: each element is a thread of a block of 256, watched and counted like a raw kernel's. They
/// are launched as raw kernels; an extra last argument is the gpu_elementwise_call or gpu_checked_reduction.
/// `only_cuda`: see CheckOptions.
KernelSource generate_checked(const ElementwiseText& text, bool only_cuda = false);
KernelSource generate_checked(const ReductionText& text, bool only_cuda = false);

/// The learner's text with the code that calls its kernel: as a loop over threads, or as fibers if it synchronises.
/// `checked`: for check mode.
KernelSource generate_raw(const RawText& text, bool checked = false, bool only_cuda = false);

/// The same source in fiber mode; an empty text if it isn't in loop mode.
KernelSource in_fiber_mode(const KernelSource& source);

}  // namespace gpu::detail::host
