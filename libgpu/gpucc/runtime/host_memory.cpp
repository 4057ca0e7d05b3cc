// SPDX-License-Identifier: MIT
#include "gpucc/runtime/host_memory.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace gpucc {

// The system's list of mappings: it is read for a pointer that no call of the runtime has given.
std::string host_memory_kind(const void* address) {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    std::error_code error;
    const std::string program = std::filesystem::read_symlink("/proc/self/exe", error).string();
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        unsigned long begin = 0, end = 0;
        char access[5] = {};
        int path = 0;
        if (std::sscanf(line.c_str(), "%lx-%lx %4s %*s %*s %*s %n", &begin, &end, access, &path) != 3) continue;
        if (value < begin || value >= end) continue;
        const std::string name = path > 0 ? line.substr(static_cast<std::size_t>(path)) : "";
        if (access[0] != 'r') return "";
        if (name == "[stack]") return "on the stack";
        if (name == "[heap]") return "of malloc() or new";
        if (name.empty() && access[1] == 'w') return "of malloc() or new, or a variable of host code";
        if (name == program) return "a variable of host code";
        return "";
    }
    return "";
}

}  // namespace gpucc
