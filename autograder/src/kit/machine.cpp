// SPDX-License-Identifier: MIT
#include "kit/machine.hpp"

#include <fstream>
#include <thread>

#include <fmt/format.h>

#include "kit_config.hpp"

namespace course {

std::string kit_version() { return kit::version; }

std::string machine_text() {
    std::ifstream cpus("/proc/cpuinfo");
    std::string model = "CPU";
    for (std::string line; std::getline(cpus, line);) {
        if (!line.starts_with("model name")) continue;
        if (const std::size_t colon = line.find(": "); colon != line.npos) model = line.substr(colon + 2);
        break;
    }
    return fmt::format("{}, {} threads", model, std::thread::hardware_concurrency());
}

}  // namespace course
