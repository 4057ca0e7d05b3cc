// SPDX-License-Identifier: MIT
#include "answer/judged_on.hpp"

#include <fmt/format.h>

#include "support/text.hpp"

namespace course {

JudgedOn judged_on(const ProbeAnswer& found, const Manifest& manifest) {
    JudgedOn on{.backend = found.backend, .device = found.device, .name = found.name, .uuid = found.uuid,
                .unused_gpu = found.backend == "cuda" ? "" : found.why_no_gpu, .note = {},
                .copy_bytes_per_second = found.copy_bytes_per_second};
    if (!on.on_gpu()) return on;
    if (manifest.is_program) {
        on.note = on.unused_gpu =
            "plain CUDA programs are judged as gpucc compiles them, for the host backend";
    } else if (found.devices < manifest.devices) {
        on.unused_gpu = fmt::format("the exercise takes {} devices, this machine has {}", manifest.devices,
                                    plural(found.devices, "GPU"));
        on.note = on.unused_gpu + ": judged on devices of the host backend, which are one CPU";
    } else {
        return on;
    }
    on.backend = on.device = "host";
    return on;
}

}  // namespace course
