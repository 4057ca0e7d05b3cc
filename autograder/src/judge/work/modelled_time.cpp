// SPDX-License-Identifier: MIT
#include "judge/work/modelled_time.hpp"

#include "libgpu/src/counts_to_time.hpp"

namespace course {

namespace {

namespace modelled = gpu::detail::modelled;

double as_double(std::uint64_t count) { return static_cast<double>(count); }

/// So many equal copies; what a call does not do takes no time.
template <class Time>
double of_copies(std::uint64_t copies, std::uint64_t bytes, Time time) {
    return copies == 0 ? 0 : as_double(copies) * time(static_cast<std::size_t>(bytes / copies));
}

}  // namespace

double modelled_us(const protocol::CountsRecord& counts, std::span<const KernelWork> kernels) {
    const auto over_bus = [](std::size_t bytes) { return modelled::time_of_copy(bytes, true); };
    const auto on_device = [](std::size_t bytes) { return modelled::time_on_device(2 * bytes); };
    double us = modelled::call_us;   // until the first operation begins; the others are asked for meanwhile
    us += of_copies(counts.copies_to_device, counts.bytes_to_device, over_bus);
    us += of_copies(counts.copies_to_host, counts.bytes_to_host, over_bus);
    us += of_copies(counts.copies_between_devices, counts.bytes_between_devices, over_bus);
    us += of_copies(counts.copies_on_device, counts.bytes_on_device, on_device);
    std::uint64_t seen = 0;
    for (const KernelWork& kernel : kernels) {
        if (kernel.launches == 0) continue;
        const double launches = as_double(kernel.launches);
        us += launches * modelled::time_of_kernel(as_double(kernel.work.global_sectors) / launches,
                                                  as_double(kernel.work.shared_wavefronts) / launches,
                                                  as_double(kernel.blocks) / launches);
        seen += kernel.launches;
    }
    if (counts.launches > seen)   // of a library: their work isn't known
        us += as_double(counts.launches - seen) * modelled::kernel_us;
    return us;
}

}  // namespace course
