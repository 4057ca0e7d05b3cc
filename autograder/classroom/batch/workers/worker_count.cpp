// SPDX-License-Identifier: MIT
#include "classroom/batch/workers/worker_count.hpp"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "run/session.hpp"

namespace course {

namespace {

std::size_t memory_available() {
    std::size_t bytes = std::numeric_limits<std::size_t>::max();
    std::ifstream memory("/proc/meminfo");
    for (std::string line; std::getline(memory, line);)
        if (line.starts_with("MemAvailable:")) bytes = std::stoull(line.substr(13)) * 1024;
    std::size_t max_bytes = 0, used = 0;  // a container's limit; "max" means none
    if (std::ifstream("/sys/fs/cgroup/memory.max") >> max_bytes &&
        std::ifstream("/sys/fs/cgroup/memory.current") >> used)
        bytes = std::min(bytes, max_bytes - std::min(max_bytes, used));
    return bytes;
}

unsigned usable_cores() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (::sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
    return static_cast<unsigned>(CPU_COUNT(&cores));
}

}  // namespace

int workers_for(unsigned cores, std::size_t available_bytes, std::size_t bytes_of_each, std::size_t gpus) {
    constexpr std::size_t max_workers = 256, max_workers_of_gpu = 8;
    const std::size_t limit = gpus > 0 ? std::min(max_workers, gpus * max_workers_of_gpu) : max_workers;
    const std::size_t fit = std::max<std::size_t>(1, available_bytes / std::max<std::size_t>(1, bytes_of_each));
    return static_cast<int>(std::min<std::size_t>({std::max(1u, cores), fit, limit}));
}

int workers_for_this_machine(std::size_t gpus) {
    return workers_for(usable_cores(), memory_available(), SessionOptions{}.memory_bytes, gpus);
}

SharedGpus gpus_to_share(const char* visible, int count, const std::string& device) {
    std::vector<std::string> gpus;
    std::string_view list = visible != nullptr ? visible : "";
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        if (end > 0) gpus.emplace_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    if (gpus.empty())
        for (int k = 0; k < count; ++k) gpus.push_back(std::to_string(k));
    if (static_cast<int>(gpus.size()) > count) gpus.resize(static_cast<std::size_t>(std::max(0, count)));
    constexpr std::string_view kind = "cuda:";
    std::size_t index = 0;
    const char* const end = device.data() + device.size();
    if (!device.starts_with(kind) || std::from_chars(device.data() + kind.size(), end, index).ec != std::errc() ||
        index >= gpus.size())
        return {std::move(gpus), device};
    return {{gpus[index]}, "cuda:0"};
}

}  // namespace course
