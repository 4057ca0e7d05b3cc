// SPDX-License-Identifier: MIT

// @TOPIC@ on the device. The CPU version, by which it is judged, is check/cpu_version.hpp. Kernels of your own go into
// @TOPIC@.cu: gpu::RawKernel<void(const float*, float*, int)> kernel(gpu::file("@TOPIC@.cu"), "its_name");

#include "exercise.hpp"

@SIGNATURE@ {
    // ---- your code ----
    // TODO: Port it.
    return @NOTHING@;
    // ---- end ----
}
