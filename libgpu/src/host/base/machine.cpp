// SPDX-License-Identifier: MIT
#include "host/base/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <gpu/error.hpp>

namespace gpu::detail::host {

int configured_devices() {
    const char* text = std::getenv("LIBGPU_HOST_DEVICES");
    if (text == nullptr || *text == '\0') return 1;
    char* end = nullptr;
    const long count = std::strtol(text, &end, 10);
    if (*end != '\0' || count < 1 || count > 64)
        throw Error(std::string("LIBGPU_HOST_DEVICES is \"") + text + "\"; it must be a number from 1 to 64");
    return static_cast<int>(count);
}

std::size_t last_level_cache() {
    const long bytes = std::max(::sysconf(_SC_LEVEL2_CACHE_SIZE), ::sysconf(_SC_LEVEL3_CACHE_SIZE));
    return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

std::size_t physical_memory() {
    return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const std::size_t colon = line.find(':');
        if (line.compare(0, 10, "model name") == 0 && colon != std::string::npos && colon + 2 < line.size())
            return line.substr(colon + 2);
    }
    return "CPU";
}

}  // namespace gpu::detail::host
